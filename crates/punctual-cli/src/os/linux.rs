//! The facts in Linux's files of `/proc`.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The advice where there is no timer interval to hold.
pub const INSTEAD_OF_AN_INTERVAL: &str = "Its timers are delayed by timer slack, by default \
    50 µs for each thread. A program lowers its own with \
    prctl(PR_SET_TIMERSLACK). Punctual's waits have none. 'punctual resolution' shows the slack";

/// The calling thread's id, as the kernel's trace has it.
pub fn own_thread() -> Option<u32> {
    let path = fs::read_link("/proc/thread-self").ok()?;
    path.file_name()?.to_str()?.parse().ok()
}

/// The threads of a process, with their names; none if it has ended, or is hidden.
pub fn threads_of(process: u32) -> Vec<(u32, String)> {
    let Ok(tasks) = fs::read_dir(format!("/proc/{process}/task")) else {
        return Vec::new();
    };
    let thread = |name: OsString| {
        let thread: u32 = name.to_str()?.parse().ok()?;
        let name = fs::read_to_string(format!("/proc/{process}/task/{thread}/comm"));
        Some((thread, name.unwrap_or_default().trim_end().to_owned()))
    };
    let threads = tasks.flatten().map(|task| task.file_name());
    threads.filter_map(thread).collect()
}

/// The file of a process' program, also if it has another name by now.
pub fn program_of(process: u32) -> PathBuf {
    PathBuf::from(format!("/proc/{process}/exe"))
}

/// Whether there is a process with this id.
pub fn is_alive(process: u32) -> bool {
    Path::new(&format!("/proc/{process}")).exists()
}

/// How often a processor was taken from a thread of this process while it needed it.
///
/// <https://man7.org/linux/man-pages/man5/proc_pid_status.5.html>
pub fn involuntary_switches(thread: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/self/task/{thread}/status")).ok()?;
    let mut lines = status.lines();
    let count = lines.find_map(|line| line.strip_prefix("nonvoluntary_ctxt_switches:"))?;
    count.trim().parse().ok()
}

/// Time in which the hypervisor ran other machines on our processors, summed over all of them.
///
/// <https://man7.org/linux/man-pages/man5/proc_stat.5.html>: the eighth number of the first line,
/// in hundredths of a second.
pub fn steal_ns() -> Option<u64> {
    const NANOS_PER_TICK: u64 = 10_000_000;
    let stat = fs::read_to_string("/proc/stat").ok()?;
    let ticks: u64 = stat.split_ascii_whitespace().nth(8)?.parse().ok()?;
    ticks.checked_mul(NANOS_PER_TICK)
}
