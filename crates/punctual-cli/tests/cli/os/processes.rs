//! Other processes, from `/proc`.

#![cfg(target_os = "linux")]

use std::fs;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

const SIGINT: u64 = 1 << 1;

/// Whether any process has this in its command line, with arguments separated by NUL.
pub fn is_running(command_line: &str) -> bool {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    processes.into_iter().any(|process| {
        let path = process.path().join("cmdline");
        fs::read(path)
            .is_ok_and(|text| String::from_utf8_lossy(&text).trim_end_matches('\0') == command_line)
    })
}

/// Whether a process catches Ctrl-C.
fn listens(process: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    caught.is_some_and(|mask| mask & SIGINT != 0)
}

/// Waits until a process catches Ctrl-C, then for the given time, and sends Ctrl-C.
#[track_caller]
pub fn interrupt(child: &Child, later: Duration) {
    eventually("it listens", || listens(child.id()));
    thread::sleep(later);
    let kill = format!("kill -INT {}", child.id());
    let killed = Command::new("sh").args(["-c", &kill]).status().unwrap();
    assert!(killed.success());
}

/// Waits until a condition holds. A minute is enough on any working machine.
#[track_caller]
pub fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        let waited = began.elapsed();
        assert!(waited < Duration::from_secs(60), "not within 60 s: {what}");
        thread::sleep(Duration::from_millis(20));
    }
}
