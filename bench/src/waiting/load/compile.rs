//! A build: short processes that read, think, allocate and write, one after the other.

use crate::failure::Failure;
use fastrand::Rng;
use std::collections::HashMap;
use std::env;
use std::fs::{self, File};
use std::hint::black_box;
use std::io::Write;
use std::process::{self, Command, Stdio};

/// The hidden subcommand that compiles one unit.
pub const SUBCOMMAND: &str = "compile-unit";

/// How many names a unit has. With these, one takes from 5 to 60 ms on the processors of 2024, as
/// small files of C do.
const NAMES: std::ops::Range<u32> = 15_000..200_000;

/// Compiles one unit after the other, each in a process of its own.
pub fn compile() -> Result<(), Failure> {
    let executable = env::current_exe()?;
    for unit in 0_u64.. {
        let status = Command::new(&executable)
            .args([SUBCOMMAND, &unit.to_string()])
            .stdin(Stdio::null())
            .status()?;
        if !status.success() {
            return Err(format!("{SUBCOMMAND}: {status}").into());
        }
    }
    Ok(())
}

/// Fills a table of names, sorts it, and writes it to a file that is gone when the process has ended.
pub fn compile_unit(unit: u64) -> Result<(), Failure> {
    let table = table(unit);
    let mut names: Vec<_> = table.iter().collect();
    names.sort_unstable();
    let mut text = String::new();
    for (name, number) in black_box(names) {
        text.push_str(name);
        text.push_str(&number.to_string());
    }
    let path = env::temp_dir().join(format!("punctual-bench-unit-{}", process::id()));
    let mut file = File::create(&path)?;
    fs::remove_file(&path)?;
    file.write_all(text.as_bytes())?;
    Ok(())
}

fn table(unit: u64) -> HashMap<String, u64> {
    let mut random = Rng::with_seed(unit);
    let names = random.u32(NAMES);
    (0..names)
        .map(|_| (format!("name_{}", random.u32(..names)), random.u64(..)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_differ_in_size_and_not_from_run_to_run() {
        assert_eq!(table(1), table(1));
        assert_ne!(table(1).len(), table(2).len());
    }
}
