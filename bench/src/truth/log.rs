//! What a program knows of its own wake-ups: a line for each, written when it ends.

use crate::failure::Failure;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// A wait as its own thread saw it, in nanoseconds of the monotonic clock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub thread: u32,
    /// The thread's name at that time.
    pub name: String,
    /// When the wait began.
    pub asked: u64,
    /// When it should have ended.
    pub deadline: u64,
    /// When it had ended.
    pub woke: u64,
    /// Whether the kernel has counted since the last wait that the program's group was out of
    /// processor time.
    pub throttled: bool,
}

pub fn write(path: &Path, entries: &[Entry]) -> Result<(), Failure> {
    let mut text = String::new();
    for entry in entries {
        let Entry {
            thread,
            name,
            asked,
            deadline,
            woke,
            throttled,
        } = entry;
        writeln!(
            text,
            "{thread} {name} {asked} {deadline} {woke} {throttled}"
        )?;
    }
    Ok(fs::write(path, text)?)
}

pub fn read(path: &Path) -> Result<Vec<Entry>, Failure> {
    let text = fs::read_to_string(path)?;
    let entries = text.lines().map(|line| {
        let wrong = || format!("not a line of the program's log: {line}");
        let mut words = line.split(' ');
        let mut next = || words.next().ok_or_else(wrong);
        Ok(Entry {
            thread: next()?.parse()?,
            name: next()?.to_owned(),
            asked: next()?.parse()?,
            deadline: next()?.parse()?,
            woke: next()?.parse()?,
            throttled: next()?.parse()?,
        })
    });
    entries.collect()
}
