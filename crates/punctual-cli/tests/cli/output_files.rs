//! Writing an output destroys no other file, wherever its name leads.

use crate::command::{Punctual, RECORDED, folder};
use std::fs;
use std::process::Output;

const PUNCTUAL: Punctual = Punctual(&[]);

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
}

#[test]
fn an_input_is_not_written_over() {
    let folder = folder("files-input");
    for (original, name, command, flag) in [
        (TRACE, "late.trace", "explain --perfetto", "--perfetto"),
        (RECORDED, "page.html", "report", "FILE"),
    ] {
        let input = folder.join(name);
        fs::copy(original, &input).unwrap();
        let name = input.to_str().unwrap();
        let asked: Vec<_> = command.split(' ').chain([name, "--from", name]).collect();
        PUNCTUAL.refuses(&asked, flag, "--from");
        assert_eq!(fs::read(&input).unwrap(), fs::read(original).unwrap());
    }
}
