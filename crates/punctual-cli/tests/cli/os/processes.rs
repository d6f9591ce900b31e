//! Other processes, from `/proc`.

#![cfg(target_os = "linux")]

use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

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
    has_in_mask(process, "SigCgt:", Signal::INT)
}

/// Whether a signal is in one of the masks of `/proc/ID/status`.
pub fn has_in_mask(process: u32, mask: &str, signal: Signal) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let found = status.lines().find_map(|line| line.strip_prefix(mask));
    let found = found.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    found.is_some_and(|found| found & (1 << (signal.as_raw() - 1)) != 0)
}

/// Waits until a process catches Ctrl-C, then for the given time, and sends Ctrl-C.
#[track_caller]
pub fn interrupt(child: &Child, later: Duration) {
    eventually("it listens", || listens(child.id()));
    thread::sleep(later);
    kill_process(Pid::from_child(child), Signal::INT).unwrap();
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
