//! Processes, as Linux lists them.

use std::fs;

/// Whether a process exists and has not ended. One that has ended stays in the list until its
/// parent, or the process that adopted it, has waited for it.
pub fn lives(id: u32) -> bool {
    stat(id).is_some_and(|stat| stat.state != "Z" && stat.state != "X")
}

pub fn group_of(id: u32) -> u32 {
    stat(id).expect("a process that lives").group
}

/// The processes that this one has started and not waited for.
pub fn children_of(parent: u32) -> Vec<u32> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let ids = processes.filter_map(|process| process.file_name().to_str()?.parse().ok());
    ids.filter(|&id| stat(id).is_some_and(|stat| stat.parent == parent))
        .collect()
}

struct Stat {
    state: String,
    parent: u32,
    group: u32,
}

/// From `/proc/ID/stat`: `ID (NAME) STATE PARENT GROUP …`.
fn stat(id: u32) -> Option<Stat> {
    let text = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let (_, after_name) = text.rsplit_once(')')?;
    let mut words = after_name.split_whitespace();
    Some(Stat {
        state: words.next()?.to_owned(),
        parent: words.next()?.parse().ok()?,
        group: words.next()?.parse().ok()?,
    })
}

/// How many threads a process has.
pub fn threads_of(id: u32) -> usize {
    fs::read_dir(format!("/proc/{id}/task")).unwrap().count()
}
