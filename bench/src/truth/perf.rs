//! A recording by `perf`, at the same time and of the same kernel, and its text.

use super::timeline::Event;
use crate::failure::Failure;
use crate::go::first_line;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

/// The events, all of them of the whole machine.
const EVENTS: &str = "timer:hrtimer_start,timer:hrtimer_expire_entry,\
sched:sched_switch,sched:sched_wakeup,sched:sched_migrate_task,\
irq:irq_handler_entry,irq:irq_handler_exit,irq:softirq_entry,irq:softirq_exit,\
irq_vectors:local_timer_entry,irq_vectors:local_timer_exit,\
irq_vectors:reschedule_entry,irq_vectors:reschedule_exit,\
irq_vectors:call_function_entry,irq_vectors:call_function_exit,\
irq_vectors:call_function_single_entry,irq_vectors:call_function_single_exit";
/// Calls are recorded only of the program's threads, which have names that begin so.
const CALLS: [&str; 2] = ["raw_syscalls:sys_enter", "raw_syscalls:sys_exit"];
const OF_THE_PROGRAM: &str = "comm ~ \"truth*\"";

/// What perf, which begins with this, prints.
fn perf(words: &[&str], rest: &dyn Fn(&mut Command)) -> Result<Vec<u8>, Failure> {
    let mut perf = Command::new("perf");
    rest(perf.args(words).stdin(Stdio::null()));
    let output = perf.output().map_err(|error| format!("perf: {error}"))?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(format!("perf {}: {}", words[0], first_line(&output.stderr)).into()),
    }
}

/// Records while the command runs that is added, and returns what that prints.
pub fn record(recording: &Path, command: &dyn Fn(&mut Command)) -> Result<Vec<u8>, Failure> {
    // The clock of the traces and of the programs' logs; buffers for a fraction of a second.
    let clock = ["--clockid", "CLOCK_MONOTONIC", "-m", "8M"];
    perf(&["record", "--quiet", "--all-cpus"], &|perf| {
        perf.args(clock).args(["-e", EVENTS]);
        for call in CALLS {
            perf.args(["-e", call, "--filter", OF_THE_PROGRAM]);
        }
        command(perf.arg("-o").arg(recording).arg("--"));
    })
}

/// The recording as text.
pub fn text(recording: &Path) -> Result<String, Failure> {
    let fields = [
        "--ns",
        "--show-lost-events",
        "-F",
        "comm,tid,cpu,time,event,trace",
        "-i",
    ];
    let text = perf(&["script"], &|perf| {
        perf.args(fields).arg(recording);
    })?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// The processors of which perf is known to record the idle task's events. On some virtual machines it does not on all
/// of them. Fails where perf cannot be used.
pub fn sees_idle(folder: &Path) -> Result<BTreeSet<u16>, Failure> {
    let recording = folder.join("trial.perf");
    perf(
        &[
            "record",
            "--quiet",
            "--all-cpus",
            "-e",
            "sched:sched_switch",
            "-o",
        ],
        &|perf| {
            perf.arg(&recording).args(["--", "sleep", "0.3"]);
        },
    )?;
    let text = text(&recording)?;
    let events = text.lines().filter_map(Event::parse);
    Ok(events
        .filter(|event| event.thread == 0)
        .map(|event| event.processor)
        .collect())
}
