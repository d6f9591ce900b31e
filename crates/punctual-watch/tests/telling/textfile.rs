//! The textfile is whole or as it was, and a folder that goes and comes back is no reason to end.

use super::os::mode;
use super::samples;
use punctual_watch::faults::Fault;
use punctual_watch::sample;
use punctual_watch::textfile::{FILE, Textfile, write};
use std::fs;
use std::sync::Arc;

#[test]
fn the_file_is_the_exposition_and_can_be_read_by_everyone() {
    let folder = tempfile::tempdir().unwrap();
    let board = Arc::new(sample::board());
    fs::write(folder.path().join(FILE), "half a").unwrap();
    write(folder.path(), &board).unwrap();
    let file = folder.path().join(FILE);
    let read = samples::read(&fs::read_to_string(&file).unwrap());
    assert!(!read.has_end && read.types.len() > 10);
    assert!(mode(&file).is_none_or(|mode| mode == 0o644));
    let names: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names, [FILE], "nothing else is left");
}

#[test]
fn a_folder_that_is_gone_is_a_fault_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let board = Arc::new(sample::board());
    let gone = folder.path().join("gone");
    assert!(write(&gone, &board).is_err());
    let textfile = Textfile::start(gone.clone(), Arc::clone(&board)).unwrap();
    // It writes before it looks whether it is to stop.
    textfile.stop();
    assert_eq!(board.faults.count(Fault::Textfile), 1);
    fs::create_dir(&gone).unwrap();
    let textfile = Textfile::start(gone.clone(), Arc::clone(&board)).unwrap();
    textfile.stop();
    assert_eq!(board.faults.count(Fault::Textfile), 1);
    assert!(gone.join(FILE).exists(), "it stays");
}

#[test]
fn what_cannot_be_replaced_stays_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let board = Arc::new(sample::board());
    // A folder in place of the file cannot be replaced by one.
    fs::create_dir(folder.path().join(FILE)).unwrap();
    assert!(write(folder.path(), &board).is_err());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn what_a_killed_watch_left_half_written_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(".punctual-Ab1234.new"), "half a").unwrap();
    fs::write(folder.path().join("node.prom"), "").unwrap();
    let textfile = Textfile::start(folder.path().to_owned(), Arc::new(sample::board())).unwrap();
    textfile.stop();
    let entries = fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["node.prom", FILE]);
}
