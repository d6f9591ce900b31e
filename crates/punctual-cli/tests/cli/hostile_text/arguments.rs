//! Arguments and the environment. A unit test of the command line gives the hostile text to every
//! flag; here are those that accept it.

use super::{HOSTILE, PUNCTUAL, SHOWN, quotes, run};
use crate::command::folder;

#[test]
fn as_an_argument_is_quoted() {
    let command = format!("command:{HOSTILE}");
    for arguments in [
        &[HOSTILE][..],
        &["measure", "--method", HOSTILE],
        &["measure", "--pin", HOSTILE],
        &["measure", "--fail-if", HOSTILE],
        &["measure", "--beat", "--method", HOSTILE],
        &["measure", "--for", "1ms", "--method", HOSTILE],
        &["measure", "--for", HOSTILE],
        &["explain", "--method", HOSTILE],
        &["load-child", HOSTILE],
        &["completions", HOSTILE],
        &["measure", "--vary", HOSTILE],
        &["resolution", HOSTILE],
        &["resolution", "hold", HOSTILE],
        &["doctor", HOSTILE],
        &["measure", "--on", "windows-7", "--method", HOSTILE],
        &["measure", "--on", "windows-7", "--load", &command],
        &[
            "measure",
            "--beat",
            "--on",
            "windows-7",
            "--method",
            HOSTILE,
        ],
        &[
            "compare",
            "--on",
            "windows-7",
            "--on",
            "windows-8",
            "--method",
            HOSTILE,
        ],
        &[
            "measure",
            "--for",
            "1ms",
            "--on",
            "windows-7",
            "--method",
            HOSTILE,
        ],
        &["explain", "--on", "windows-7", "--method", HOSTILE],
    ] {
        quotes(&mut PUNCTUAL.with(arguments));
    }
}

#[test]
fn as_the_name_of_a_file_is_quoted() {
    let nowhere = |end: &str| format!("/nowhere/{HOSTILE}{end}");
    let [page, any, hdr] = [".html", "", "{method}"].map(nowhere);
    for arguments in [
        &["report", &page][..],
        &["report", &any],
        &["report", "page.html", "--from", &any],
        &["compare", &any, &any],
        &["explain", "--from", &any],
        &["explain", "--save", &any],
        &["explain", "--perfetto", &any],
        &["measure", "--hdr", &hdr],
        &["measure", "--for", "1ms", "--save", &any],
        &["completions", "man", &any],
        &["resolution", "who", "--from", &any],
    ] {
        let said = run(&mut PUNCTUAL.with(arguments));
        assert!(!said.succeeded, "{arguments:?}");
        // A name that is wrong by its end is not quoted.
        let is_quoted = said.complained.contains(SHOWN) || arguments[1] == any;
        assert!(is_quoted, "{}", said.complained);
    }
}

#[test]
fn in_the_environment_does_nothing() {
    let folder = folder("hostile-environment");
    for command in ["doctor", "resolution", "completions", "nothing"] {
        for format in ["--json", "--markdown"] {
            let mut command = PUNCTUAL.with(&[command, format]);
            command.current_dir(&folder);
            for name in ["TERM", "COLUMNS", "LANG", "HOME", "TMPDIR", "USER"] {
                command.env(name, HOSTILE);
            }
            run(&mut command);
        }
    }
}
