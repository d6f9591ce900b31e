//! Stacks at the switches of a program's threads, recorded in an instance of their own: only there can
//! the kernel be told to record those of a program and of all that it starts.

use super::instance::Instance;
use crate::event::ThreadId;
use crate::tracefs::STACK_EVENT;
use punctual::Error;
use std::path::Path;

/// Switches are recorded elsewhere: here they only trigger stacks.
const TRIGGER: &str = "events/sched/sched_switch/trigger";

/// An instance that records a stack at each switch from or to one of these threads and all that they will
/// start, but for those of idle threads, which are all alike; and the format of its event.
pub(super) fn instance(root: &Path, threads: &[ThreadId]) -> Result<(Instance, String), Error> {
    let instance = Instance::make(root)?;
    let format = instance.read(&format!("events/{STACK_EVENT}/format"));
    let unsupported = |_| Error::unsupported("this kernel records no stacks (CONFIG_STACKTRACE)");
    let format = format.map_err(unsupported)?;
    instance.set("trace_options", "event-fork")?;
    follow(instance.path(), threads)?;
    // The kernel asks whether a thread is one of the instance's only if there is a condition.
    let ThreadId(idle) = ThreadId::IDLE;
    let trigger = format!("stacktrace if prev_pid != {idle}");
    instance.set(TRIGGER, &trigger).map_err(unsupported)?;
    Ok((instance, format))
}

/// Records the stacks of these threads only. An empty list would mean all threads, so it has one that there
/// never is.
pub(super) fn follow(instance: &Path, threads: &[ThreadId]) -> Result<(), Error> {
    /// `PID_MAX_LIMIT` of Linux: no thread has this number.
    const NOBODY: u32 = 1 << 22;
    let threads = threads.iter().map(|thread| thread.0);
    let numbers: Vec<_> = [NOBODY].into_iter().chain(threads).collect();
    let numbers: Vec<_> = numbers.iter().map(u32::to_string).collect();
    super::instance::write(&instance.join("set_event_pid"), &numbers.join(" "))
}
