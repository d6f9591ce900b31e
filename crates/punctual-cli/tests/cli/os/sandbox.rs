//! Sandboxes that refuse system calls. What they take from a command is "not available here", with the
//! reason, and the rest is measured.

#![cfg(target_os = "linux")]
#![allow(unsafe_code, reason = "the sandbox is put on between fork and exec")]

use crate::command::{self, stderr, stdout};
use crate::effort;
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch};
use serde_json::Value;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Output;
use std::thread;

pub const EPERM: u32 = libc::EPERM as u32;
const ENOSYS: u32 = libc::ENOSYS as u32;

/// What a sandbox answers, and what the reason says then.
const ANSWERS: [(u32, &str); 2] = [(EPERM, "a sandbox refuses"), (ENOSYS, "a sandbox hides it")];

/// The calls of a way of waiting, and the methods that cannot do without them. Every C library makes some
/// of these waits with one call and some with another.
const METHODS: [(&[libc::c_long], &[&str]); 11] = [
    (&[libc::SYS_nanosleep], &["nanosleep"]),
    (
        &[libc::SYS_clock_nanosleep],
        &["clock-nanosleep", "std-sleep"],
    ),
    (&[libc::SYS_pselect6], &["select"]),
    (&[libc::SYS_ppoll], &["poll"]),
    (&[libc::SYS_epoll_create1], &["epoll-wait", "epoll-pwait2"]),
    (
        &[libc::SYS_epoll_pwait, libc::SYS_epoll_pwait2],
        &["epoll-wait", "epoll-pwait2"],
    ),
    (&[libc::SYS_futex_waitv], &["futex-waitv"]),
    (&[libc::SYS_timerfd_create], &["timerfd"]),
    (&[libc::SYS_timerfd_settime], &["timerfd"]),
    (&[libc::SYS_timer_create], &["posix-timer"]),
    (
        &[libc::SYS_timer_settime, libc::SYS_rt_sigtimedwait],
        &["posix-timer"],
    ),
];

/// The same for the ways of keeping a pace.
const WAYS: [(&[libc::c_long], &[&str]); 3] = [
    (&[libc::SYS_nanosleep], &["nanosleep", "sleep-spin"]),
    (
        &[libc::SYS_clock_nanosleep],
        &["clock-nanosleep", "feedback"],
    ),
    (
        &[libc::SYS_timerfd_create, libc::SYS_timerfd_settime],
        &["timerfd-cycle"],
    ),
];

fn filter(calls: &[libc::c_long], errno: u32) -> BpfProgram {
    let architecture = TargetArch::try_from(std::env::consts::ARCH).unwrap();
    let rules = calls.iter().map(|&call| (call, vec![])).collect();
    let (otherwise, matched) = (SeccompAction::Allow, SeccompAction::Errno(errno));
    let filter = SeccompFilter::new(rules, otherwise, matched, architecture);
    filter.unwrap().try_into().unwrap()
}

/// Runs the command in a sandbox that answers these calls with this error.
pub fn punctual(calls: &[libc::c_long], errno: u32, arguments: &[&str]) -> Output {
    let filter = filter(calls, errno);
    let mut command = command::punctual();
    command.args(arguments);
    let put_on = move || seccompiler::apply_filter(&filter).map_err(io::Error::other);
    // SAFETY: it only makes system calls, unless it fails.
    unsafe { command.pre_exec(put_on) };
    command.output().unwrap()
}

fn recording(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{}", stderr(output));
    serde_json::from_str(&stdout(output)).unwrap()
}

/// Everything in the table is unavailable with a reason, and the rest is there.
fn check(calls: &[libc::c_long], gone: &[&str], reason: &str, recording: &Value) {
    let measured = recording.get("series");
    let measured = measured.unwrap().as_array().unwrap();
    assert!(!measured.is_empty(), "{calls:?}");
    for series in measured {
        assert_eq!(series["early"].as_u64().unwrap_or(0), 0, "{series}");
    }
    let unavailable = recording["unavailable"].as_array().unwrap();
    for name in gone {
        let missing = unavailable
            .iter()
            .find(|missing| missing["name"] == *name)
            .unwrap_or_else(|| panic!("{calls:?}: {name} is available: {unavailable:?}"));
        let said = missing["reason"].as_str().unwrap();
        assert!(said.contains(reason), "{calls:?}: {name}: {said}");
    }
}

#[test]
fn a_method_whose_call_is_refused_is_unavailable_and_the_others_are_measured() {
    for (calls, gone) in METHODS {
        for (errno, reason) in ANSWERS {
            let measured = punctual(calls, errno, &["measure", "--count", "3", "--json"]);
            check(calls, gone, reason, &recording(&measured));
        }
    }
}

#[test]
fn a_way_whose_call_is_refused_is_unavailable_and_the_others_are_measured() {
    // At the same time: they wait for most of it.
    thread::scope(|scope| {
        for (calls, gone) in WAYS {
            for (errno, reason) in ANSWERS {
                scope.spawn(move || {
                    let measured = punctual(
                        calls,
                        errno,
                        &["measure", "--beat", "--duration", "20ms", "--json"],
                    );
                    check(calls, gone, reason, &recording(&measured));
                });
            }
        }
    });
}

#[test]
fn the_commands_that_wait_for_nothing_of_this_run_on() {
    let calls = [
        libc::SYS_nanosleep,
        libc::SYS_clock_nanosleep,
        libc::SYS_timerfd_create,
        libc::SYS_clock_gettime,
    ];
    let answers = effort(1, 2) as usize;
    for (errno, _) in &ANSWERS[..answers] {
        for arguments in [&["doctor", "clocks", "--quick"][..], &["doctor"]] {
            let ran = punctual(&calls, *errno, arguments);
            assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
        }
    }
}

/// Loads sleep with the standard library.
#[test]
fn a_load_that_cannot_sleep_is_refused_with_the_reason() {
    for condition in [["--with", "sleepers=3"], ["--load", "timers"]] {
        let calls = [libc::SYS_nanosleep, libc::SYS_clock_nanosleep];
        let arguments = [&["measure", "--count", "3"], &condition[..]].concat();
        let refused = punctual(&calls, EPERM, &arguments);
        let said = stderr(&refused);
        assert_eq!(refused.status.code(), Some(1), "{said}");
        assert!(said.contains("a sandbox refuses nanosleep"), "{said}");
        assert!(!said.contains("panicked"), "{said}");
    }
}
