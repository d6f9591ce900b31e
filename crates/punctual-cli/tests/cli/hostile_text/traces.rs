//! Traces of kernels and reports of Windows, whose names any user can choose.

use super::damage::damaged_where;
use super::{HOSTILE, PUNCTUAL, SHOWN, page_shows, quotes, run, shows_in_json};
use crate::command::{ENERGY_REPORT, RECORDED, folder};
use punctual_lab::Environment;
use punctual_trace::Recording;
use serde_json::Value;
use std::fs;
use std::path::Path;

const BUSY: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../punctual-trace/tests/traces/busy.trace"
);

/// A thread in it that made others late, and a name of the same length.
const NAME: &[u8] = b"lto 2mgmqlsaoup";
const HOSTILE_NAME: &[u8] = b"=\x1b[35m\n\xc2\x9b\xff|<b>@";
const SHOWN_NAME: &str = r"=\u{1b}[35m\n\u{9b}";

/// A trace with a hostile name in the kernel's pages, and hostile text in everything else.
fn hostile_trace() -> Vec<u8> {
    let mut recording = Recording::read(&fs::read(BUSY).unwrap()).unwrap();
    let mut renamed = 0;
    for (_, pages) in &mut recording.raw.pages {
        for at in 0..pages.len() - NAME.len() {
            if pages[at..].starts_with(NAME) {
                pages[at..at + NAME.len()].copy_from_slice(HOSTILE_NAME);
                renamed += 1;
            }
        }
    }
    assert!(renamed > 0);
    let recorded: Value = serde_json::from_slice(&fs::read(RECORDED).unwrap()).unwrap();
    let reads = |tried: &Value| serde_json::from_value::<Environment>(tried.clone()).is_ok();
    let head = &mut recording.head;
    head.environment = damaged_where(&recorded["environment"], reads);
    head.subject = HOSTILE.to_owned();
    head.environment_changes = vec![HOSTILE.to_owned()];
    let mut written = Vec::new();
    recording.write(&mut written).unwrap();
    written
}

/// Makes a page of an explanation.
fn page_of(arguments: &[&str], folder: &Path) {
    let json = run(&mut PUNCTUAL.with(&[arguments, &["--json"]].concat())).printed;
    let (file, page) = (folder.join("explained.json"), folder.join("page.html"));
    fs::write(&file, json).unwrap();
    let arguments = [
        "report",
        page.to_str().unwrap(),
        "--from",
        file.to_str().unwrap(),
    ];
    assert!(run(&mut PUNCTUAL.with(&arguments)).succeeded);
    page_shows(&page);
}

#[test]
fn as_the_name_of_a_thread_does_nothing() {
    let folder = folder("hostile-trace");
    let file = folder.join("late.trace");
    fs::write(&file, hostile_trace()).unwrap();
    let explained = ["explain", "--from", file.to_str().unwrap()];
    for format in [&[][..], &["--csv"]] {
        let said = run(&mut PUNCTUAL.with(&[&explained[..], format].concat()));
        assert!(said.printed.contains(SHOWN_NAME), "{}", said.printed);
    }
    let explained = [&explained[..], &["--thread", "measure"]].concat();
    let of_all = run(&mut PUNCTUAL.with(&explained)).printed;
    assert!(of_all.contains(SHOWN), "{of_all}");
    page_of(&explained, &folder);
    quotes(&mut PUNCTUAL.with(&["explain", "--from", explained[2], "--thread", HOSTILE]));
}

#[test]
fn in_the_head_of_a_trace_does_nothing() {
    let folder = folder("hostile-head");
    let file = folder.join("late.trace");
    fs::write(&file, hostile_trace()).unwrap();
    let explained = ["explain", "--from", file.to_str().unwrap()];
    for format in ["--markdown", "--json"] {
        let said = run(&mut PUNCTUAL.with(&[&explained[..], &[format]].concat()));
        assert!(said.printed.contains("FORGED"), "{}", said.printed);
    }
    shows_in_json(&explained);
    let cut = &hostile_trace()[..2_000];
    fs::write(&file, cut).unwrap();
    assert!(!run(&mut PUNCTUAL.with(&explained)).succeeded);
}

/// The text of a Windows trace in which a process has a hostile name. A name has neither commas nor
/// line ends there.
fn hostile_dump(folder: &Path) -> (String, String) {
    let file = folder.join("trace.txt");
    let name = file.to_str().unwrap().to_owned();
    PUNCTUAL.text(&[
        "explain",
        "--on",
        "windows-7",
        "--count",
        "5",
        "--save",
        &name,
    ]);
    let hostile = HOSTILE.replace(['\r', '\n'], "");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace(" main (", &format!(" {hostile} ("))).unwrap();
    (name, hostile)
}

#[test]
fn as_the_name_of_a_windows_process_does_nothing() {
    let folder = folder("hostile-dump");
    let (file, name) = hostile_dump(&folder);
    let explained = ["explain", "--from", &file, "--thread", &name];
    let said = run(&mut PUNCTUAL.with(&explained));
    assert!(said.printed.contains(SHOWN), "{}", said.complained);
    for format in ["--markdown", "--csv"] {
        assert!(run(&mut PUNCTUAL.with(&[&explained[..], &[format]].concat())).succeeded);
    }
    page_of(&explained, &folder);
    for format in [None, Some("--markdown"), Some("--json"), Some("--csv")] {
        let info = ["explain", "--info", "--from", &file]
            .into_iter()
            .chain(format);
        assert!(run(&mut PUNCTUAL.with(&info.collect::<Vec<_>>())).succeeded);
    }
    let info = run(&mut PUNCTUAL.with(&["explain", "--info", "--from", &file]));
    assert!(info.printed.contains(SHOWN), "{}", info.printed);
    // Both name the processes that there are.
    quotes(&mut PUNCTUAL.with(&["explain", "--from", &file]));
    quotes(&mut PUNCTUAL.with(&["explain", "--from", &file, "--thread", "other"]));
    fs::write(
        &file,
        format!("CSwitch, {HOSTILE}\n{HOSTILE}, 5\nCSwitch, {HOSTILE}\n"),
    )
    .unwrap();
    assert!(!run(&mut PUNCTUAL.with(&explained)).succeeded);
}

#[test]
fn in_an_energy_report_does_nothing() {
    let folder = folder("hostile-energy");
    for form in ["html", "xml"] {
        let file = folder.join(form);
        let text = fs::read_to_string(format!("{ENERGY_REPORT}.{form}")).unwrap();
        let hostile = HOSTILE.replace('<', "&lt;").replace("\r\n", "");
        assert!(text.contains("player.exe"));
        fs::write(&file, text.replace("player.exe", &hostile)).unwrap();
        let who = ["resolution", "who", "--from", file.to_str().unwrap()];
        let said = run(&mut PUNCTUAL.with(&who));
        assert!(
            said.printed.contains(SHOWN),
            "{}{}",
            said.printed,
            said.complained
        );
        let json = run(&mut PUNCTUAL.with(&[&who[..], &["--json"]].concat())).printed;
        assert!(json.contains(r"\u001b]0;owned\u0007"), "{json}");
        fs::write(&file, HOSTILE).unwrap();
        assert!(!run(&mut PUNCTUAL.with(&who)).succeeded);
    }
}
