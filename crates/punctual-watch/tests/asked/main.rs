//! What could be asked of the command `punctual` before the watch was a program of its own.
//!
//! A program of its own, which is in no package: the list of the command `punctual` is not there.

#[path = "../../../punctual-cli/tests/cli/can_be_asked/list.rs"]
mod list;

use list::Line;
use std::process::Command;

#[test]
fn what_could_be_asked_can_be_asked() {
    let wrong = Line::all(include_str!("can-be-asked.tsv")).filter_map(|line| {
        let mut watch = Command::new(env!("CARGO_BIN_EXE_punctual-watch"));
        let output = watch
            .args(line.asked.split(' '))
            .env("COLUMNS", "80")
            .output()
            .unwrap();
        line.lacks(&String::from_utf8(output.stdout).unwrap())
    });
    let wrong: Vec<_> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
