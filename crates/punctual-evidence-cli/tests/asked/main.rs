//! What could be asked of the command `punctual` before this one was a program of its own, and its figures.
//!
//! A program of its own, which is in no package: the list of the command `punctual` is not there.

#[path = "../../../punctual-cli/tests/cli/can_be_asked/list.rs"]
mod list;

use list::Line;
use std::process::Command;

#[test]
fn what_could_be_asked_has_the_same_answer() {
    let lines: Vec<_> = Line::all(include_str!("can-be-asked.tsv")).collect();
    assert!(lines.len() > 30, "{}", lines.len());
    let wrong = lines.iter().filter_map(|line| {
        let mut evidence = Command::new(env!("CARGO_BIN_EXE_punctual-evidence"));
        let output = evidence.args(line.asked.split(' ')).output().unwrap();
        line.lacks(&String::from_utf8(output.stdout).unwrap())
    });
    let wrong: Vec<_> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
