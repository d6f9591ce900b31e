//! `punctual watch` becomes the program `punctual-watch`, which is found beside it, and then in PATH.

#![cfg(unix)]

use crate::command::{Punctual, folder, program, stderr, stdout};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

/// The command in one folder, which looks for others in another one. What it finds is a shell, which says its own name,
/// the number of its process, and an argument.
fn watch(beside: &Path, path: &Path) -> Command {
    let mut command = program(beside.join("punctual"));
    command.env("PATH", path);
    command.args(["watch", "-c", "echo $0 $$ $#; exit 7"]);
    command
}

#[test]
fn it_is_found_beside_the_command_and_then_in_path() {
    let (beside, path) = (folder("watch-beside"), folder("watch-in-path"));
    fs::hard_link(env!("CARGO_BIN_EXE_punctual"), beside.join("punctual")).unwrap();
    let output = watch(&beside, &path).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let line = "cargo install --path crates/punctual-watch";
    assert!(stderr(&output).contains(line), "{}", stderr(&output));
    let in_beside = beside.join("punctual-watch").display().to_string();
    for (at, name) in [(&path, "punctual-watch"), (&beside, in_beside.as_str())] {
        symlink("/bin/sh", at.join("punctual-watch")).unwrap();
        let mut command = watch(&beside, &path);
        let child = command.stdout(Stdio::piped()).spawn().unwrap();
        // The same process, and its status.
        let expected = format!("{name} {} 0\n", child.id());
        let output = child.wait_with_output().unwrap();
        assert_eq!(stdout(&output), expected);
        assert_eq!(output.status.code(), Some(7));
    }
}

#[test]
fn the_help_names_it_and_its_manual_page_is_its_own() {
    let punctual = Punctual(&[]);
    assert!(punctual.text(&["--help"]).contains("watch"));
    assert!(
        punctual
            .text(&["completions", "man"])
            .contains(r"punctual\-watch(1)")
    );
    let pages = folder("watch-man");
    punctual.text(&["completions", "man", pages.to_str().unwrap()]);
    assert!(pages.join("punctual-measure.1").exists());
    assert!(!pages.join("punctual-watch.1").exists());
}
