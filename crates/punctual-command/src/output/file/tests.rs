//! A signal ends the command and not the file, and what could not be written is refused before anything runs.

use super::*;
use crate::stop::{Heard, Signal};
use std::fs::{self, OpenOptions};
use tempfile::TempDir;

fn put(name: &Path, text: &str) -> Result<(), Failure> {
    file(&Stop::deaf(), name, |out| out.write_all(text.as_bytes()))
}

fn text(name: &Path) -> String {
    fs::read_to_string(name).unwrap()
}

fn problem(outcome: Result<(), Failure>) -> String {
    match outcome.unwrap_err() {
        Failure::Usage(problem) | Failure::Run(problem) | Failure::Refused(problem, _) => problem,
        Failure::Stopped => panic!("no signal came"),
    }
}

fn names(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_signal_after_the_last_byte_ends_the_command_and_not_the_file() {
    let folder = TempDir::new().unwrap();
    let page = folder.path().join("page.html");
    let (stop, signal, by_process) = (Stop::deaf(), Signal::Terminate, true);
    let whole = |out: &mut dyn Write| {
        out.write_all(b"whole")?;
        out.flush()?;
        stop.hear(Heard { signal, by_process });
        Ok(())
    };
    // If this were a success, the command would go on to print, and have heard its one signal.
    assert!(matches!(file(&stop, &page, whole), Err(Failure::Stopped)));
    assert_eq!((text(&page).as_str(), names(&folder).len()), ("whole", 1));
}

#[test]
fn a_signal_leaves_everything_as_it_was_unless_it_came_before() {
    let folder = TempDir::new().unwrap();
    let page = folder.path().join("page.html");
    put(&page, "before").unwrap();
    let (stop, signal) = (Stop::deaf(), Signal::Terminate);
    let by_process = true;
    let half = |out: &mut dyn Write| {
        stop.hear(Heard { signal, by_process });
        out.write_all(b"half")
    };
    assert!(problem(file(&stop, &page, half)).contains("stopped by a signal"));
    assert_eq!((text(&page).as_str(), names(&folder).len()), ("before", 1));
    // What was measured until the signal came is written.
    file(&stop, &page, |out| out.write_all(b"so far")).unwrap();
    assert_eq!(text(&page), "so far");
}

#[test]
fn one_file_is_not_two_outputs_nor_an_input() {
    let folder = TempDir::new().unwrap();
    let (one, other) = (folder.path().join("one"), folder.path().join("other"));
    put(&one, "recorded").unwrap();
    let roundabout = folder.path().join(".").join("one");
    assert!(ensure_writable(&Stop::deaf(), &[("--save", &other)], &[("--from", &one)]).is_ok());
    let input = ensure_writable(
        &Stop::deaf(),
        &[("--save", &roundabout)],
        &[("--from", &one)],
    );
    assert!(problem(input).contains("--from"));
    let twice = ensure_writable(
        &Stop::deaf(),
        &[("--save", &one), ("--perfetto", &roundabout)],
        &[],
    );
    assert!(problem(twice).contains("--save"));
    fs::hard_link(&one, &other).unwrap();
    assert!(ensure_writable(&Stop::deaf(), &[("--save", &other)], &[("--from", &one)]).is_err());
    assert_eq!((text(&one).as_str(), names(&folder).len()), ("recorded", 2));
}

#[test]
fn places_where_nothing_can_be_written_are_refused_before_anything_runs() {
    let folder = TempDir::new().unwrap();
    let refused = |name: &Path| ensure_writable(&Stop::deaf(), &[("--save", name)], &[]).is_err();
    assert!(refused(folder.path()));
    assert!(refused(&folder.path().join("nowhere").join("file")));
    assert!(!refused(&folder.path().join("file")));
    let fixed = folder.path().join("fixed");
    put(&fixed, "").unwrap();
    let mut permissions = fs::metadata(&fixed).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&fixed, permissions.clone()).unwrap();
    // Root may write to everything, so then it is not refused.
    let may_write = OpenOptions::new().append(true).open(&fixed).is_ok();
    assert_eq!(refused(&fixed), !may_write);
    assert_eq!(names(&folder), ["fixed"]);
}
