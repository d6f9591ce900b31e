//! Writing an output destroys no other file, wherever its name leads.

use crate::command::{Punctual, RECORDED, folder};
use std::fs;
use std::process::Output;

pub const PUNCTUAL: Punctual = Punctual(&[]);

const TRACE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../punctual-trace/tests/traces/idle.trace"
);

/// A page of a recording, which is the same each time.
pub fn page(file: &str) -> Output {
    PUNCTUAL.run(&["report", file, "--from", RECORDED])
}

#[test]
fn a_file_is_replaced_as_a_whole_and_nothing_is_left_beside_it() {
    let folder = folder("files-replaced");
    let name = folder.join("page.html");
    fs::write(&name, "before").unwrap();
    assert!(page(name.to_str().unwrap()).status.success());
    let made = fs::read_to_string(&name).unwrap();
    assert!(made.starts_with("<!DOCTYPE html>") && made.ends_with("</html>\n"));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    assert_eq!(page(folder.to_str().unwrap()).status.code(), Some(2));
}

#[test]
fn an_input_is_not_written_over() {
    let folder = folder("files-input");
    let trace = folder.join("late.trace");
    fs::copy(TRACE, &trace).unwrap();
    let before = fs::read(&trace).unwrap();
    let name = trace.to_str().unwrap();
    let explained = ["explain", "--from", name, "--perfetto", name];
    PUNCTUAL.refuses(&explained, "--perfetto", "--from");
    assert_eq!(fs::read(&trace).unwrap(), before);
}

#[test]
fn two_outputs_are_not_one_file() {
    let folder = folder("files-twice");
    let name = folder.join("both");
    let name = name.to_str().unwrap();
    let explained = ["explain", "--duration", "100ms", "--save", name];
    let twice = [&explained[..], &["--perfetto", name]].concat();
    PUNCTUAL.refuses(&twice, "--perfetto", "--save");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
}
