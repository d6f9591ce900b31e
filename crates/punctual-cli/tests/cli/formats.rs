//! The output of `punctual measure` besides text and JSON, on a simulated machine: the same every
//! time.

use crate::command::{Punctual, folder};
use std::fs;

const PUNCTUAL: Punctual = Punctual(&[]);
const MEASURE: Punctual = Punctual(&["measure", "--on", "windows-10-2004", "--count", "50"]);

/// Checks the tables of a page: each row has as many cells as its head. Returns the number of rows.
fn rows_of(text: &str) -> usize {
    let mut cells = None;
    let mut rows = 0;
    for line in text.lines() {
        if line.starts_with('|') {
            let count = line.matches('|').count() - line.matches("\\|").count();
            assert_eq!(*cells.get_or_insert(count), count, "{line}");
            rows += 1;
        } else {
            cells = None;
        }
    }
    rows
}

#[test]
fn markdown_has_tables_whose_rows_have_as_many_cells_as_their_heads() {
    let text = MEASURE.text(&["--markdown", "--request", "1ms"]);
    assert!(text.starts_with("### Lateness of 50 waits"));
    assert!(text.contains("<details><summary>Machine</summary>"));
    assert!(rows_of(&text) > 20, "{text}");
    assert!(text.contains("| +high-res |"));
}

/// Every command with a table, the beginning of its page, the first columns of its CSV, and the
/// smallest number of rows.
const WITH_TABLES: [(&str, &str, &str, usize); 9] = [
    (
        "measure --for 1ms --on windows-11 --count 50",
        "### 50 waits each, in a tight loop, on windows-11",
        "call,length_ns,asked_ns,",
        8,
    ),
    (
        "measure --beat --on windows-xp --duration 1s",
        "### Pace of a loop of 10.0000 ms",
        "way,period_ns,work_ns,",
        10,
    ),
    (
        "doctor clocks --on windows-7,processors=1 --quick",
        "### Clocks of windows-7",
        "clock,counts,unit_ns,",
        6,
    ),
    (
        "compare --on windows-7 --on windows-11 --count 50 --method sleep",
        "### Compared with windows-7",
        "baseline,other,method,",
        4,
    ),
    (
        "measure --for 1ms --vary request=0.5ms..1ms --on windows-11",
        "### 200 waits of 1.00 ms each, in a tight loop, on windows-11, by request",
        "vary,value_ns,interval_ns,call,",
        10,
    ),
    (
        "explain --on windows-7 --count 50",
        "### Wake-ups of a loop of 1.00 ms",
        "cause,occupant,priority,wakeups,",
        1,
    ),
    (
        "windows --count 20 --on windows-11",
        "### What a wait of 1.00 ms takes",
        "persona,label,machine,length_ns,",
        2,
    ),
    (
        "windows rules",
        "### Simulated machines",
        "rule,windows-xp,windows-7,",
        10,
    ),
    (
        concat!(
            "explain --info --from ",
            env!("CARGO_MANIFEST_DIR"),
            "/../punctual-trace/tests/logs/lxcore.etl"
        ),
        "### ",
        "count,",
        3,
    ),
];

#[test]
fn every_command_with_a_table_writes_markdown_and_csv() {
    for (command, title, head, least) in WITH_TABLES {
        let run = |format| {
            let words: Vec<_> = command.split(' ').chain([format]).collect();
            PUNCTUAL.text(&words)
        };
        let page = run("--markdown");
        assert!(page.starts_with(title), "{command}: {page}");
        assert!(rows_of(&page) >= least + 2, "{command}: {page}");
        let sheet = run("--csv");
        assert!(sheet.starts_with(head), "{command}: {sheet}");
        assert!(sheet.lines().count() > least, "{command}: {sheet}");
    }
}

#[test]
fn csv_has_a_row_per_method_with_plain_numbers() {
    let text = MEASURE.text(&["--csv", "--method", "sleep", "--method", "spin"]);
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 3);
    assert!(rows.iter().all(|row| row.len() == rows[0].len()));
    let column = |name: &str| rows[0].iter().position(|head| *head == name).unwrap();
    assert_eq!((rows[1][0], rows[2][0]), ("sleep", "spin"));
    assert_eq!(rows[1][column("count")], "50");
    for (head, cell) in rows[0].iter().zip(&rows[1]).skip(6) {
        assert!(cell.parse::<f64>().is_ok(), "{head}: {cell}");
    }
}

#[test]
fn percentiles_are_written_for_each_method_and_nothing_else_is_left() {
    let folder = folder("formats-hdr");
    let file = folder.join("late-{method}.hgrm");
    let methods = ["--method", "sleep", "--method", "high-res"];
    MEASURE.text(&[&methods[..], &["--hdr", file.to_str().unwrap()]].concat());
    let mut names: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["late-high-res.hgrm", "late-sleep.hgrm"]);
    let text = fs::read_to_string(folder.join("late-sleep.hgrm")).unwrap();
    assert!(text.contains("1/(1-Percentile)") && text.contains("#[Max "));
}
