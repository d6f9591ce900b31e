//! How threads are scheduled, and where memory is.

use super::Os;
use crate::Error;

/// How the calling thread is scheduled, and whether the process's memory stays in place: the raw
/// calls under [the guards](crate::guard). Like [`Os`], nobody else can implement it.
pub trait Scheduling: Os {
    /// The calling thread's priority as it was found.
    type Priority;
    /// The processors that the calling thread could use as it was found.
    type Affinity;

    /// Raises the calling thread's priority and returns what it was.
    ///
    /// # Errors
    /// [Not permitted](Error::is_not_permitted), naming the privilege that is missing;
    /// [unsupported](Error::is_unsupported) where there is no such priority;
    /// [invalid input](Error::is_invalid_input) for a number that no priority has.
    fn raise_priority(&self, priority: Priority) -> Result<Self::Priority, Error>;

    /// Gives the calling thread back the priority it had.
    fn restore_priority(&self, found: &Self::Priority);

    /// Keeps the calling thread on these processors, numbered from zero as the system numbers them,
    /// and returns those it could use before.
    ///
    /// # Errors
    /// [Invalid input](Error::is_invalid_input) if there are none, or this thread may not use one of
    /// them; [unsupported](Error::is_unsupported) where no program can choose.
    fn pin(&self, processors: &[usize]) -> Result<Self::Affinity, Error>;

    /// Gives the calling thread back the processors it could use.
    fn restore_affinity(&self, found: &Self::Affinity);

    /// Keeps all memory of the process in RAM, what it will have included. To be undone by as many
    /// calls of [`unlock_memory`](Scheduling::unlock_memory) as there were of this.
    ///
    /// # Errors
    /// As [`MemoryGuard::lock`](crate::guard::MemoryGuard::lock).
    fn lock_memory(&self) -> Result<(), Error>;

    /// Lets the system take memory away again, if nobody else has locked it.
    fn unlock_memory(&self);
}

/// A priority above the ordinary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Priority {
    /// Ahead of ordinary threads when both want a processor. Linux: nice −11. macOS: the class
    /// `USER_INTERACTIVE`.
    High,
    /// Ahead of every ordinary thread, always. A thread that spins at this priority can hold a
    /// processor against the whole machine. Linux: `SCHED_FIFO` at its lowest priority. macOS: a
    /// time constraint, from which a thread that computes for longer falls back.
    Realtime,
    /// As [`Realtime`](Priority::Realtime), at a priority of `SCHED_FIFO` of one's choice, 1 to 99:
    /// ahead of all those below it. Linux only. The kernel's own threads that serve interrupts have
    /// 50, so that above it a thread that computes for long can keep the machine from its devices.
    Fifo(u8),
}

/// The priorities of `SCHED_FIFO` on Linux.
const FIFO_PRIORITIES: std::ops::RangeInclusive<u8> = 1..=99;

/// For systems that have them: refuses the others before any call.
pub(super) fn check_fifo(priority: u8) -> Result<(), Error> {
    if FIFO_PRIORITIES.contains(&priority) {
        return Ok(());
    }
    let (least, most) = FIFO_PRIORITIES.into_inner();
    Err(Error::invalid_input(format!(
        "SCHED_FIFO has no priority {priority}; it has those from {least} to {most}"
    )))
}

/// For systems that have none.
#[cfg(any(windows, target_os = "macos", test, feature = "machines"))]
pub(super) fn no_fifo(system: &str) -> Error {
    Error::unsupported(format!(
        "{system} has no priorities of SCHED_FIFO; use Priority::Realtime, which is its highest"
    ))
}

/// No processor is not a set to keep a thread to.
pub(super) fn check_processors(processors: &[usize]) -> Result<(), Error> {
    if processors.is_empty() {
        return Err(Error::invalid_input(
            "a thread needs a processor to run on, and the set has none",
        ));
    }
    Ok(())
}

/// Refuses the first that is not among those that the thread may use.
pub(super) fn refused_processor(processor: usize, allowed: &str) -> Error {
    Error::invalid_input(format!(
        "processor {processor} is not one this thread may use; it may use {allowed}"
    ))
}
