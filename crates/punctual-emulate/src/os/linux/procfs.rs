//! What the kernel's files say of a process.

use super::ptrace::Tid;
use std::fs;
use std::path::PathBuf;

/// A field of a thread's status.
fn status(tid: Tid, field: &str) -> Option<String> {
    let all = fs::read_to_string(format!("/proc/{tid}/status")).ok()?;
    let line = all
        .lines()
        .find_map(|line| line.strip_prefix(field)?.strip_prefix(':'))?;
    Some(line.trim().to_owned())
}

/// The process of a thread.
pub(crate) fn process_of(tid: Tid) -> Option<Tid> {
    status(tid, "Tgid")?.parse().ok()
}

/// The parent of a process.
pub(crate) fn parent_of(tid: Tid) -> Option<Tid> {
    status(tid, "PPid")?.parse().ok()
}

/// Who traces a thread, if anyone.
pub(crate) fn tracer_of(tid: Tid) -> Option<Tid> {
    status(tid, "TracerPid")?
        .parse()
        .ok()
        .filter(|&tracer| tracer != 0)
}

/// Whether a set of signals of a thread has one.
fn has(tid: Tid, set: &str, signal: i32) -> bool {
    let bits = status(tid, set)
        .and_then(|bits| u64::from_str_radix(&bits, 16).ok())
        .unwrap_or(0);
    let bit = u32::try_from(signal - 1).unwrap_or(0);
    bits.checked_shr(bit).is_some_and(|bits| bits & 1 == 1)
}

/// Whether a thread has a handler for a signal.
pub(crate) fn handles(tid: Tid, signal: i32) -> bool {
    has(tid, "SigCgt", signal)
}

/// Whether a signal does nothing to a thread.
pub(crate) fn ignores(tid: Tid, signal: i32) -> bool {
    let by_default = matches!(
        signal,
        libc::SIGCHLD | libc::SIGURG | libc::SIGWINCH | libc::SIGCONT
    );
    has(tid, "SigIgn", signal) || by_default && !handles(tid, signal)
}

/// The executable of a process.
pub(crate) fn executable(process: Tid) -> PathBuf {
    fs::read_link(format!("/proc/{process}/exe")).unwrap_or_default()
}

/// The clock of the timer behind a file descriptor.
pub(crate) fn clock_of_timerfd(tid: Tid, fd: u64) -> Option<u64> {
    let fd = fd & 0xffff_ffff;
    let all = fs::read_to_string(format!("/proc/{tid}/fdinfo/{fd}")).ok()?;
    all.lines()
        .find_map(|line| line.strip_prefix("clockid:")?.trim().parse().ok())
}

/// The clock of a timer by its number. Kernels built without checkpoints do not say; most timers go by the
/// monotonic clock.
pub(crate) fn clock_of_timer(process: Tid, timer: u64) -> Option<u64> {
    let Ok(all) = fs::read_to_string(format!("/proc/{process}/timers")) else {
        return Some(1);
    };
    let mut found = false;
    for line in all.lines() {
        if let Some(id) = line.strip_prefix("ID:") {
            found = id.trim().parse() == Ok(timer & 0xffff_ffff);
        } else if let Some(clock) = line.strip_prefix("ClockID:").filter(|_| found) {
            return clock.trim().parse::<i64>().ok().map(i64::cast_unsigned);
        }
    }
    None
}

/// Yama's setting, where there is one.
pub(crate) fn yama() -> Option<u32> {
    fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope")
        .ok()?
        .trim()
        .parse()
        .ok()
}

/// The kernel's release, as `uname` shows it.
pub(crate) fn release() -> String {
    fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default()
}
