//! A thread that is pinned and leaves its processor all the same.

#![cfg(target_os = "linux")]
#![allow(unsafe_code, reason = "system calls")]

use super::processes::eventually;
use crate::command::{punctual, stderr, stdout};
use serde_json::Value;
use std::fs;
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};
use std::thread;
use std::time::Duration;

/// The processors that this process may use.
fn usable() -> libc::cpu_set_t {
    // SAFETY: an array of bits, for which zero is a value.
    let mut set: libc::cpu_set_t = unsafe { mem::zeroed() };
    // SAFETY: the set is valid for writing, with the size given.
    let got = unsafe { libc::sched_getaffinity(0, size_of_val(&set), &raw mut set) };
    assert_eq!(got, 0, "{}", io::Error::last_os_error());
    set
}

fn numbers(set: &libc::cpu_set_t) -> Vec<usize> {
    let capacity = usize::try_from(libc::CPU_SETSIZE).unwrap();
    // SAFETY: the numbers are within the set.
    let has = |number: &usize| unsafe { libc::CPU_ISSET(*number, set) };
    (0..capacity).filter(has).collect()
}

fn measure(processor: usize, seconds: u64) -> Child {
    let (processor, duration) = (processor.to_string(), format!("{seconds}s"));
    punctual()
        .args(["measure", "--method", "nanosleep", "--json"])
        .args(["--pin", &processor, "--duration", &duration])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The measuring thread, once it is pinned.
fn pinned_thread(child: &Child, processor: usize) -> libc::pid_t {
    let threads = PathBuf::from(format!("/proc/{}/task", child.id()));
    let is_pinned = |thread: &Path| {
        let read = |name| fs::read_to_string(thread.join(name)).unwrap_or_default();
        let allowed = format!("Cpus_allowed_list:\t{processor}\n");
        read("comm") == "measure\n" && read("status").contains(&allowed)
    };
    let mut found = None;
    eventually("it is pinned", || {
        let threads = fs::read_dir(&threads).into_iter().flatten().flatten();
        let mut paths = threads.map(|thread| thread.path());
        found = paths.find(|thread| is_pinned(thread));
        found.is_some()
    });
    let name = found.unwrap().file_name().unwrap().to_owned();
    name.into_string().unwrap().parse().unwrap()
}

#[track_caller]
fn check(ended: &Output, processor: usize) {
    let said = stderr(ended);
    assert_eq!(ended.status.code(), Some(1), "{said}");
    let moved = format!("the thread pinned to processor {processor} was moved");
    assert!(said.contains(&moved), "{said}");
    let recording: Value = serde_json::from_str(&stdout(ended)).unwrap();
    let changes = recording["environment_changes"].as_array().unwrap();
    let is_there = |change: &Value| change.as_str().unwrap().contains(&moved);
    assert!(changes.iter().any(is_there), "{changes:?}");
    assert!(recording["series"][0]["count"].as_u64().unwrap() > 0);
}

#[test]
fn a_thread_that_is_pinned_and_stays_is_a_measurement() {
    let processor = numbers(&usable())[0];
    let ended = measure(processor, 1).wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(0), "{}", stderr(&ended));
}

/// What the system does to a thread whose processor goes offline, done by another process.
#[test]
fn a_thread_that_another_program_frees_is_in_the_recording() {
    let all = usable();
    let [processor, _, ..] = numbers(&all)[..] else {
        println!("skipped: there is one processor");
        return;
    };
    // A machine may be too busy to free it in time: then a longer one is tried.
    for seconds in [2, 10, 50] {
        let mut child = measure(processor, seconds);
        let thread = pinned_thread(&child, processor);
        // SAFETY: the set is valid for reading, with the size given.
        unsafe { libc::sched_setaffinity(thread, size_of_val(&all), &raw const all) };
        thread::sleep(Duration::from_millis(200));
        let was_in_time = child.try_wait().unwrap().is_none();
        let ended = child.wait_with_output().unwrap();
        if was_in_time {
            return check(&ended, processor);
        }
    }
    panic!("this machine is too busy");
}

/// Takes a processor away, and gives it back however the test ends.
struct Unplugged(PathBuf);

impl Unplugged {
    fn new(processor: usize) -> io::Result<Self> {
        let switch = format!("/sys/devices/system/cpu/cpu{processor}/online");
        fs::write(&switch, "0")?;
        Ok(Self(switch.into()))
    }
}

impl Drop for Unplugged {
    fn drop(&mut self) {
        if let Err(error) = fs::write(&self.0, "1") {
            println!("cannot give back {}: {error}", self.0.display());
        }
    }
}

/// Only with `PUNCTUAL_UNPLUG=1`, because it disturbs every program of the machine.
#[test]
fn a_processor_that_vanishes_and_returns_is_in_the_recording() {
    if std::env::var_os("PUNCTUAL_UNPLUG").is_none() {
        println!("skipped: PUNCTUAL_UNPLUG=1 takes a processor away for a moment");
        return;
    }
    let processor = *numbers(&usable()).last().unwrap();
    let child = measure(processor, 10);
    pinned_thread(&child, processor);
    match Unplugged::new(processor) {
        Ok(unplugged) => {
            thread::sleep(Duration::from_millis(300));
            drop(unplugged);
            check(&child.wait_with_output().unwrap(), processor);
        }
        Err(error) => {
            println!("skipped: processor {processor} cannot be taken away: {error}");
            child.wait_with_output().unwrap();
        }
    }
}
