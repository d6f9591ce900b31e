//! Processes, as Linux lists them.

use std::fs;

/// Whether a process exists and has not ended. One that has ended stays in the list until its
/// parent, or the process that adopted it, has waited for it.
pub fn lives(id: u32) -> bool {
    stat(id).is_some_and(|(state, _)| state != "Z" && state != "X")
}

pub fn group_of(id: u32) -> u32 {
    stat(id).expect("a process that lives").1
}

/// A process's state and group, from `/proc/ID/stat`: `ID (NAME) STATE PARENT GROUP …`.
fn stat(id: u32) -> Option<(String, u32)> {
    let text = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let (_, after_name) = text.rsplit_once(')')?;
    let mut words = after_name.split_whitespace();
    let state = words.next()?.to_owned();
    let group = words.nth(1)?.parse().ok()?;
    Some((state, group))
}

/// How many threads a process has.
pub fn threads_of(id: u32) -> usize {
    fs::read_dir(format!("/proc/{id}/task")).unwrap().count()
}
