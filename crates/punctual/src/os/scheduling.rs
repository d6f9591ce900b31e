//! The scheduling of threads, and locked memory.

use super::Os;
use crate::Error;
use std::time::Duration;

/// The calls of an operating system that [the guards](crate::guard) use: priority, processors and slice
/// of the calling thread, and locked memory. The trait is sealed, like [`Os`].
pub trait Scheduling: Os {
    /// The former priority of a thread.
    type Priority;
    /// The processors that a thread could use before.
    type Affinity;
    /// The former slice of a thread.
    type Slice;

    /// Raises the calling thread's priority and returns the former one.
    ///
    /// # Errors
    /// [Not permitted](Error::is_not_permitted), with the missing privilege;
    /// [unsupported](Error::is_unsupported) if the system has no such priority;
    /// [invalid input](Error::is_invalid_input) for a number that no priority has.
    fn raise_priority(&self, priority: Priority) -> Result<Self::Priority, Error>;

    /// Restores the calling thread's former priority.
    fn restore_priority(&self, found: &Self::Priority);

    /// Keeps the calling thread on these processors, numbered from zero as the system numbers them,
    /// and returns those it could use before.
    ///
    /// # Errors
    /// [Invalid input](Error::is_invalid_input) if the set is empty, or if this thread may not use one of
    /// them; [unsupported](Error::is_unsupported) if the system lets no program choose.
    fn pin(&self, processors: &[usize]) -> Result<Self::Affinity, Error>;

    /// Restores the processors that the calling thread could use before.
    fn restore_affinity(&self, found: &Self::Affinity);

    /// The calling thread's slice: how long it may compute before the system looks whose turn it is.
    ///
    /// # Errors
    /// Those of [`SliceGuard::set`](crate::guard::SliceGuard::set).
    fn slice(&self) -> Result<Duration, Error>;

    /// Sets the calling thread's slice and returns the former one.
    ///
    /// # Errors
    /// Those of [`SliceGuard::set`](crate::guard::SliceGuard::set).
    fn set_slice(&self, slice: Duration) -> Result<Self::Slice, Error>;

    /// Restores the calling thread's former slice.
    fn restore_slice(&self, found: &Self::Slice);

    /// Keeps all present and future memory of the process in RAM, until
    /// [`unlock_memory`](Scheduling::unlock_memory) has been called as often as this.
    ///
    /// # Errors
    /// Those of [`MemoryGuard::lock`](crate::guard::MemoryGuard::lock).
    fn lock_memory(&self) -> Result<(), Error>;

    /// Unlocks the memory of the process, if no other lock is held.
    fn unlock_memory(&self);
}

/// A priority above that of ordinary threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Priority {
    /// Before ordinary threads when both want a processor. Linux: nice −11. macOS: the class
    /// `USER_INTERACTIVE`.
    High,
    /// Always before every ordinary thread. A thread that spins at this priority can keep a processor
    /// from all other programs. Linux: `SCHED_FIFO` at its lowest priority. macOS: a time constraint,
    /// which a thread loses if it computes for longer.
    Realtime,
    /// Like [`Realtime`](Priority::Realtime), with a chosen priority of `SCHED_FIFO`, 1 to 99. Linux only.
    /// The kernel's threads that serve interrupts have 50: a thread above that which computes for long
    /// can block the machine's devices.
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

/// For systems whose threads have no slices of their own: says what they have instead.
pub(super) fn no_slice(system: &str, instead: &str) -> Error {
    Error::unsupported(format!(
        "{system} gives no thread a slice of its own, as Linux does from version 6.12 on; {instead}"
    ))
}

/// No processor is not a set to keep a thread to.
pub(super) fn check_processors(processors: &[usize]) -> Result<(), Error> {
    if processors.is_empty() {
        return Err(Error::invalid_input(
            "the set of processors is empty; name at least one",
        ));
    }
    Ok(())
}

/// Refuses the first that is not among those that the thread may use.
pub(super) fn refused_processor(processor: usize, allowed: &str) -> Error {
    Error::invalid_input(format!(
        "this thread may not use processor {processor}; it may use {allowed}"
    ))
}
