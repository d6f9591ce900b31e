//! Limits of the system: each ends a command with status 1 and a sentence that names the limit and says
//! what to do. There is no panic, and nothing is left behind.

#![cfg(target_os = "linux")]

use super::processes::{eventually, is_running};
use crate::command::{RECORDED, folder, program, punctual, stderr};
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output};

const PROGRAM: &str = env!("CARGO_BIN_EXE_punctual");

/// A user that owns no processes. Limits of processes do not apply to root.
const NOBODY_ELSE: u32 = 65_431;

/// A shell that limits itself, and becomes the command.
fn limited(limit: &str, arguments: &[&str]) -> Command {
    let mut shell = program("sh");
    shell.args(["-c", &format!("{limit} && exec \"$0\" \"$@\""), PROGRAM]);
    shell.args(arguments);
    shell
}

#[track_caller]
fn fails(command: &mut Command, says: &str) {
    let ended: Output = command.output().unwrap();
    let said = stderr(&ended);
    assert_eq!(ended.status.code(), Some(1), "{command:?}: {said}");
    assert!(said.starts_with("error:"), "{command:?}: {said}");
    assert!(said.contains(says), "{command:?}: {said}");
    assert!(!said.contains("panicked"), "{command:?}: {said}");
}

const MEASURE: [&str; 5] = ["measure", "--count", "3", "--method", "nanosleep"];

#[test]
fn too_few_descriptors() {
    for descriptors in 4..=8 {
        let limit = format!("ulimit -n {descriptors}");
        for condition in [["--load", "cpu:5"], ["--with", "sleepers=1"]] {
            let arguments = [&MEASURE[..], &condition].concat();
            fails(&mut limited(&limit, &arguments), "'ulimit -n'");
        }
    }
}

#[test]
fn a_measurement_needs_few_descriptors() {
    // Three that every program has, two for signals, and one for what is read.
    for descriptors in [6, 8, 10] {
        let limit = format!("ulimit -n {descriptors}");
        let measured = limited(&limit, &MEASURE).output().unwrap();
        assert!(measured.status.success(), "{}", stderr(&measured));
    }
}

#[test]
fn too_little_memory() {
    let arguments = [&MEASURE[..], &["--load", "memory"]].concat();
    fails(&mut limited("ulimit -v 150000", &arguments), "'ulimit -v'");
}

/// Whether the program can be run by another user; it may be in a folder that is not for everybody.
fn runs_for(user: u32) -> bool {
    let mut version = punctual();
    version.arg("--version").uid(user);
    version.output().is_ok_and(|ended| ended.status.success())
}

#[test]
fn too_few_processes() {
    if !runs_for(NOBODY_ELSE) {
        println!("skipped: only root can be another user, whose processes are limited");
        return;
    }
    for (processes, condition) in [
        (2, &[][..]),
        (2, &["--load", "cpu:3"]),
        (5, &["--with", "sleepers=37"]),
        (9, &["--load", "timers"]),
    ] {
        // The one is bash's, and the other dash's.
        let limit = format!("{{ ulimit -u {processes} 2>&- || ulimit -p {processes}; }}");
        let mut command = limited(&limit, &[&MEASURE[..], condition].concat());
        fails(command.uid(NOBODY_ELSE), "'ulimit -u'");
    }
    let child = of_sleepers(37);
    eventually("no process is left", || !is_running(&child));
}

/// The words with which a process of so many sleepers was started.
fn of_sleepers(threads: u32) -> String {
    format!("{PROGRAM}\0load-child\0{{\"sleepers\":{{\"threads\":{threads},\"number\":0}}}}")
}

/// A control group in which there may be this many processes and threads, removed when this is dropped.
struct Group(String);

impl Group {
    fn new(most: u32) -> Option<Self> {
        let number = std::process::id();
        let places = ["/sys/fs/cgroup/pids", "/sys/fs/cgroup"];
        places.iter().find_map(|place| {
            let group = Self(format!("{place}/punctual-test-{number}"));
            fs::create_dir(&group.0).ok()?;
            fs::write(format!("{}/pids.max", group.0), most.to_string()).ok()?;
            Some(group)
        })
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}

/// Only with `PUNCTUAL_CGROUP=1`, because it makes a control group.
#[test]
fn too_few_processes_in_a_control_group() {
    if std::env::var_os("PUNCTUAL_CGROUP").is_none() {
        println!("skipped: PUNCTUAL_CGROUP=1 makes a control group");
        return;
    }
    let Some(group) = Group::new(6) else {
        println!("skipped: no control group for processes can be made here");
        return;
    };
    let limit = format!("echo $$ >{}/cgroup.procs", group.0);
    let arguments = [&MEASURE[..], &["--with", "sleepers=39"]].concat();
    fails(&mut limited(&limit, &arguments), "pids.max");
    let child = of_sleepers(39);
    eventually("no process is left", || !is_running(&child));
}

#[test]
fn a_full_disk() {
    for arguments in [
        &["measure", "--count", "3", "--json"][..],
        &["compare", RECORDED, RECORDED],
        &["doctor"],
        &["completions", "man"],
        &["completions", "bash"],
    ] {
        fails(
            &mut limited("exec >/dev/full", arguments),
            "the disk is full",
        );
    }
    fails(
        &mut limited("true", &["report", "/dev/full", "--from", RECORDED]),
        "the disk is full",
    );
}

/// The system would end the process with a signal.
#[test]
fn a_file_that_is_as_long_as_it_may_be() {
    let folder = folder("file_size_limit");
    let page = folder.join("page.html");
    let page = page.to_str().unwrap();
    for blocks in [0, 1] {
        let limit = format!("ulimit -f {blocks}");
        let report = ["report", page, "--from", RECORDED];
        if blocks == 1 {
            // With a limit of zero, standard error can be no file; it is a pipe here.
            let printed = format!("{limit} && exec >'{page}.out'");
            let arguments = [&MEASURE[..], &["--json"]].concat();
            fails(&mut limited(&printed, &arguments), "'ulimit -f'");
        }
        fails(&mut limited(&limit, &report), "'ulimit -f'");
        assert!(!Path::new(page).exists());
    }
    let left: Vec<_> = fs::read_dir(&folder).unwrap().flatten().collect();
    assert_eq!(left.len(), 1, "only what the shell made: {left:?}");
}

/// Everything that a command reads goes through one door, which knows how long each kind may be. The
/// memory is enough for every kind but traces, of which the beginning tells whether they are some.
#[test]
fn an_endless_input_is_refused() {
    let text = folder("endless").join("dump.txt");
    fs::write(&text, "CSwitch, 1\n").unwrap();
    let file = fs::File::options().write(true).open(&text).unwrap();
    file.set_len(1 << 31).unwrap();
    let zero = "/dev/zero";
    for (arguments, says) in [
        (
            &["compare", RECORDED, zero][..],
            "/dev/zero: it is longer than 256 MiB",
        ),
        (
            &["report", "page.html", "--from", zero],
            "longer than 256 MiB",
        ),
        (&["resolution", "who", "--from", zero], "longer than 16 MiB"),
        (&["explain", "--from", zero], "it is no trace"),
        (&["explain", "--from", zero, "--info"], "it is no trace"),
        (
            &["explain", "--from", text.to_str().unwrap(), "--info"],
            "'ulimit -v'",
        ),
    ] {
        let refused = limited("ulimit -v 800000", arguments).output().unwrap();
        let said = stderr(&refused);
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(says), "{arguments:?}: {said}");
    }
}

/// It waits for a writer, as every program does, until something ends it.
#[test]
fn a_pipe_that_nothing_writes_to_can_be_interrupted() {
    let pipe = folder("pipe_without_writer").join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let pipe = pipe.to_str().unwrap();
    for arguments in [
        &["compare", pipe, RECORDED][..],
        &["compare", RECORDED, pipe],
        &["explain", "--from", pipe],
        &["resolution", "who", "--from", pipe],
        &["report", "/dev/null", "--from", pipe],
    ] {
        let mut reads = punctual().args(arguments).spawn().unwrap();
        let id = reads.id().to_string();
        eventually("it ends", || {
            let interrupt = Command::new("kill").args(["-INT", &id]).status();
            interrupt.unwrap();
            reads.try_wait().unwrap().is_some()
        });
        assert!(!reads.wait().unwrap().success(), "{arguments:?}");
    }
}
