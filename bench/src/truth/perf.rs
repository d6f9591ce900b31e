//! A recording by `perf`, at the same time and of the same kernel, and its text.

use super::script::{self, What};
use crate::failure::Failure;
use crate::go::first_line;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

/// The events, all of them of the whole machine. Calls are recorded only of the program's threads,
/// which have names that begin so.
const EVENTS: &str = "timer:hrtimer_start,timer:hrtimer_expire_entry,\
sched:sched_switch,sched:sched_waking,sched:sched_wakeup,sched:sched_migrate_task,\
irq:irq_handler_entry,irq:irq_handler_exit,irq:softirq_entry,irq:softirq_exit,\
irq_vectors:local_timer_entry,irq_vectors:local_timer_exit,\
irq_vectors:reschedule_entry,irq_vectors:reschedule_exit,\
irq_vectors:call_function_entry,irq_vectors:call_function_exit,\
irq_vectors:call_function_single_entry,irq_vectors:call_function_single_exit";
const CALLS: [&str; 2] = ["raw_syscalls:sys_enter", "raw_syscalls:sys_exit"];
const OF_THE_PROGRAM: &str = "comm ~ \"truth*\"";

/// Why perf cannot be used here; none if it can.
pub fn is_absent() -> Option<String> {
    let mut trial = Command::new("perf");
    trial.args([
        "record",
        "-a",
        "-o",
        "/dev/null",
        "-e",
        "sched:sched_switch",
    ]);
    match trial.args(["--", "true"]).output() {
        Ok(output) if output.status.success() => None,
        Ok(output) => Some(format!("perf record: {}", first_line(&output.stderr))),
        Err(error) if error.kind() == ErrorKind::NotFound => Some("perf is not installed".into()),
        Err(error) => Some(format!("perf: {error}")),
    }
}

/// Records while a command runs, whose output goes into a file.
pub fn record<'a>(
    recording: &Path,
    command: impl IntoIterator<Item = &'a OsStr>,
    output: &Path,
) -> Result<ExitStatus, Failure> {
    let mut perf = Command::new("perf");
    // The clock of the traces and of the programs' logs; buffers for a fraction of a second.
    perf.args([
        "record",
        "--quiet",
        "--all-cpus",
        "--clockid",
        "CLOCK_MONOTONIC",
        "-m",
        "8M",
    ]);
    perf.args(["-e", EVENTS]);
    for call in CALLS {
        perf.args(["-e", call, "--filter", OF_THE_PROGRAM]);
    }
    perf.arg("-o").arg(recording).arg("--").args(command);
    perf.stdin(Stdio::null()).stdout(File::create(output)?);
    Ok(perf.status()?)
}

/// The recording as text, in a file next to it.
pub fn script(recording: &Path) -> Result<PathBuf, Failure> {
    let path = recording.with_extension("txt");
    let mut perf = Command::new("perf");
    perf.args([
        "script",
        "--ns",
        "--show-lost-events",
        "-F",
        "comm,tid,cpu,time,event,trace",
    ]);
    perf.arg("-i").arg(recording);
    let output = perf
        .stdin(Stdio::null())
        .stdout(File::create(&path)?)
        .output()?;
    if !output.status.success() {
        return Err(format!("perf script: {}", first_line(&output.stderr)).into());
    }
    Ok(path)
}

/// The processors of which perf is known to record the idle task's events. On some virtual machines it
/// does not on all of them.
pub fn sees_idle(folder: &Path) -> Result<BTreeSet<usize>, Failure> {
    let recording = folder.join("trial.perf");
    let mut perf = Command::new("perf");
    perf.args([
        "record",
        "--quiet",
        "--all-cpus",
        "-e",
        "sched:sched_switch",
        "-o",
    ]);
    perf.arg(&recording).args(["--", "sleep", "0.3"]).output()?;
    let lines = script::read(&self::script(&recording)?)?;
    let from_idle = lines
        .into_iter()
        .filter(|line| matches!(line.what, What::Switched { from: 0, .. }));
    Ok(from_idle.map(|line| usize::from(line.processor)).collect())
}
