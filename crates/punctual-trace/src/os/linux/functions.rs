//! Where the kernel's functions are.

use crate::tracefs::REFILLS;
use std::fs::File;
use std::io::{BufRead, BufReader};

/// The addresses and names of the functions by which timers are told apart. None, where the kernel keeps
/// its addresses to itself.
pub(super) fn addresses() -> Vec<(u64, String)> {
    let Ok(symbols) = File::open("/proc/kallsyms") else {
        return Vec::new();
    };
    let mut symbols = BufReader::new(symbols);
    let (mut line, mut found) = (Vec::new(), Vec::new());
    while found.len() < REFILLS.len() {
        line.clear();
        match symbols.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => break,
            Ok(_) => found.extend(std::str::from_utf8(&line).ok().and_then(wanted)),
        }
    }
    found
}

/// What a line says: `ffffffff813babb0 t sched_cfs_period_timer`. The address is 0 where it is hidden.
fn wanted(line: &str) -> Option<(u64, String)> {
    let mut words = line.split_ascii_whitespace();
    let (address, name) = (words.next()?, words.nth(1)?);
    if !REFILLS.contains(&name) {
        return None;
    }
    let address = u64::from_str_radix(address, 16).ok()?;
    (address != 0).then(|| (address, name.to_owned()))
}
