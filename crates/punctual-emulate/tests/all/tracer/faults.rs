//! Programs that make a tracer's life hard.

use super::os::started;
use super::run::{alone, program, skipped, steered, text, under};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};

const RULES: [&[&str]; 3] = [
    &["as-asked"],
    &["--two-stops", "ticks=2000000"],
    &["heard=1000000"],
];

/// Runs a part of `faults.c` alone and under rules, and compares.
fn same(words: &[&str]) {
    if skipped() {
        return;
    }
    let faults = program("faults.c");
    let native = alone(&faults, words);
    for rule in RULES {
        let said = under(rule, &faults, words);
        assert_eq!(said.output, native.output, "{rule:?} {words:?}");
        if native.code.is_some() {
            assert_eq!(said.code, native.code, "{rule:?} {words:?}");
        }
    }
}

#[test]
fn a_storm_of_alarms() {
    same(&["storm"]);
}

#[test]
fn hundreds_of_threads() {
    same(&["threads", "300"]);
}

#[test]
fn children_of_every_kind() {
    same(&["children", "50"]);
}

#[test]
fn many_short_children() {
    same(&["many", "300"]);
}

#[test]
fn an_exec_from_a_thread() {
    same(&["exec"]);
}

#[test]
fn programs_that_kill_themselves() {
    same(&["ends"]);
}

#[test]
fn a_program_with_a_filter_of_its_own() {
    same(&["sandbox"]);
}

#[test]
fn a_handler_that_does_not_come_back() {
    same(&["jumps"]);
}

#[test]
fn a_full_pipe_on_stderr() {
    same(&["pipe"]);
}

#[test]
fn exit_codes_pass_through() {
    same(&["code", "33"]);
    if !skipped() {
        let faults = program("faults.c");
        let killed = under(&["as-asked"], faults, &["killed", "15"]);
        assert_eq!(killed.code, Some(128 + 15));
        assert!(killed.heard.contains("Signalled(15)"), "{}", killed.heard);
    }
}

#[test]
fn what_cannot_be_run_is_refused() {
    if skipped() {
        return;
    }
    for (path, code, reason) in [
        (
            "no-such-program",
            127,
            "there is no program no-such-program",
        ),
        ("./no/such/program", 127, "cannot be run"),
        ("/", 126, "is not an executable file"),
    ] {
        let output = started(steered()).args(["as-asked", path]).output();
        let output = output.expect("the example runs");
        assert_eq!(output.status.code(), Some(code), "{path}");
        assert!(
            text(&output.stderr).contains(reason),
            "{}",
            text(&output.stderr)
        );
    }
}

#[test]
fn scripts_without_a_first_line_are_the_shells() {
    if skipped() {
        return;
    }
    let folder = std::env::temp_dir();
    let script = folder.join(format!("steered-script-{}", std::process::id()));
    std::fs::write(&script, "echo ran \"$1\"; exit 5\n").expect("the folder can be written");
    let chmod = Command::new("chmod").arg("+x").arg(&script).status();
    assert!(chmod.expect("there is chmod").success());
    let said = under(&["as-asked"], &script, &["with a word"]);
    drop(std::fs::remove_file(&script));
    assert_eq!(
        (said.output.as_str(), said.code),
        ("ran with a word\n", Some(5))
    );
}

#[test]
fn a_signal_to_the_tracer_reaches_the_program() {
    if skipped() {
        return;
    }
    let script = "trap 'echo told; exit 7' TERM; echo ready; while :; do sleep 0.01; done";
    let mut child = started(steered())
        .args(["as-asked", "sh", "-c", script])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the example runs");
    let mut output = BufReader::new(child.stdout.take().expect("it is a pipe"));
    let mut line = String::new();
    output
        .read_line(&mut line)
        .expect("it says that it is ready");
    let killed = Command::new("kill").arg(child.id().to_string()).status();
    assert!(killed.expect("there is kill").success());
    output
        .read_line(&mut line)
        .expect("it says that it was told");
    assert_eq!(line, "ready\ntold\n");
    assert_eq!(child.wait().expect("it ends").code(), Some(7));
}

#[test]
fn a_killed_tracer_takes_the_program_along() {
    if skipped() {
        return;
    }
    let mut child = started(steered())
        .arg("as-asked")
        .arg(program("faults.c"))
        .arg("idle")
        .stdout(Stdio::piped())
        .spawn()
        .expect("the example runs");
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    // The pipe has an end when all who could write to it have ended.
    let mut rest = Vec::new();
    let mut output = child.stdout.take().expect("it is a pipe");
    assert_eq!(output.read_to_end(&mut rest).expect("it ends"), 0);
}

#[test]
fn a_tracer_under_a_tracer_is_refused() {
    if skipped() || !Path::new("/usr/bin/strace").exists() {
        println!("skipped: there is no strace");
        return;
    }
    let output = Command::new("strace")
        .args(["-f", "-o", "/dev/null"])
        .arg(steered())
        .args(["as-asked", "echo", "ran"])
        .output()
        .expect("strace runs");
    assert_eq!(output.status.code(), Some(125));
    assert!(output.stdout.is_empty());
    assert!(
        text(&output.stderr).contains("one tracer"),
        "{}",
        text(&output.stderr)
    );
}
