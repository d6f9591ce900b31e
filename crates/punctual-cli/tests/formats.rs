//! What `punctual measure` writes besides tables and JSON, on a simulated machine: the same every time.

use std::process::{Command, Output};
use std::{env, fs, process};

fn measure(arguments: &[&str]) -> Output {
    let machine = ["measure", "--on", "windows-10-2004", "--count", "50"];
    Command::new(env!("CARGO_BIN_EXE_punctual"))
        .args(machine)
        .args(arguments)
        .output()
        .unwrap()
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn markdown_has_tables_whose_rows_have_as_many_cells_as_their_heads() {
    let text = stdout(&measure(&["--markdown", "--request", "1ms"]));
    assert!(text.starts_with("### Lateness of 50 waits"));
    assert!(text.contains("<details><summary>Machine</summary>"));
    let mut cells = None;
    let mut rows = 0;
    for line in text.lines() {
        if line.starts_with('|') {
            let count = line.matches('|').count();
            assert_eq!(*cells.get_or_insert(count), count, "{line}");
            rows += 1;
        } else {
            cells = None;
        }
    }
    assert!(rows > 20, "{text}");
    assert!(text.contains("| +high-res |"));
}

#[test]
fn csv_has_a_row_per_method_with_plain_numbers() {
    let text = stdout(&measure(&[
        "--csv", "--method", "sleep", "--method", "spin",
    ]));
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 3);
    assert!(rows.iter().all(|row| row.len() == rows[0].len()));
    let column = |name: &str| rows[0].iter().position(|head| *head == name).unwrap();
    assert_eq!((rows[1][0], rows[2][0]), ("sleep", "spin"));
    assert_eq!(rows[1][column("count")], "50");
    for (head, cell) in rows[0].iter().zip(&rows[1]).skip(5) {
        assert!(cell.parse::<f64>().is_ok(), "{head}: {cell}");
    }
}

#[test]
fn percentiles_are_written_for_each_method_and_nothing_else_is_left() {
    let folder = env::temp_dir().join(format!("punctual-hdr-{}", process::id()));
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("late-{method}.hgrm");
    let methods = ["--method", "sleep", "--method", "high-res"];
    let output = measure(&[&methods[..], &["--hdr", file.to_str().unwrap()]].concat());
    assert!(output.status.success(), "{output:?}");
    let mut names: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["late-high-res.hgrm", "late-sleep.hgrm"]);
    let text = fs::read_to_string(folder.join("late-sleep.hgrm")).unwrap();
    fs::remove_dir_all(&folder).unwrap();
    assert!(text.contains("1/(1-Percentile)") && text.contains("#[Max "));
}

#[test]
fn what_cannot_be_written_is_refused_before_anything_runs() {
    for arguments in [
        &["--hdr", "one.hgrm"][..],
        &["--hdr", "/nowhere/at/all-{method}.hgrm"],
        &["--json", "--csv"],
    ] {
        let output = measure(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        assert!(output.stdout.is_empty());
    }
}
