//! Whatever an output's name leads to, nothing is destroyed that was not asked for.

mod os;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

const RECORDED: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../punctual-lab/tests/recordings/schema-1.json"
);

const TRACE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../punctual-trace/tests/traces/idle.trace"
);

fn punctual(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_punctual"));
    command.args(args).stdin(Stdio::null()).output().unwrap()
}

/// A page of a recording, which is the same each time.
fn page(file: &str) -> Output {
    punctual(&["report", file, "--from", RECORDED])
}

/// A folder of this test's own, empty.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
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
    let refused = punctual(&["explain", "--from", name, "--perfetto", name]);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(
        said.contains("--perfetto") && said.contains("--from"),
        "{said}"
    );
    assert_eq!(fs::read(&trace).unwrap(), before);
}

#[test]
fn two_outputs_are_not_one_file() {
    let folder = folder("files-twice");
    let name = folder.join("both");
    let name = name.to_str().unwrap();
    let refused = punctual(&[
        "explain",
        "--duration",
        "100ms",
        "--save",
        name,
        "--perfetto",
        name,
    ]);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
}
