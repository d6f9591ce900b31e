//! Priorities and processors of a plain machine's threads.

use super::{SimOs, call_system};
use crate::setup::NORMAL_PRIORITY;
use punctual::Error as OsError;
use punctual::os::{Priority, Scheduling};
use std::convert::Infallible;
use std::time::Duration;

/// The priority of [`Priority::High`]: that of Windows' high priority class.
const HIGH_PRIORITY: u8 = 13;

/// The priority of [`Priority::Realtime`]: that of Windows' real-time priority class.
const REALTIME_PRIORITY: u8 = 24;

/// A thread's priority as it was before it was raised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoundPriority(u8);

/// The processors a thread could use before it was pinned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoundAffinity(u64);

impl Scheduling for SimOs {
    type Priority = FoundPriority;
    type Affinity = FoundAffinity;
    type Slice = Infallible;

    fn raise_priority(&self, priority: Priority) -> Result<FoundPriority, OsError> {
        let raised = match priority {
            Priority::High => HIGH_PRIORITY,
            Priority::Realtime => REALTIME_PRIORITY,
            _ => {
                return Err(OsError::unsupported(
                    "a plain machine has no priorities of SCHED_FIFO; use Priority::Realtime, which \
                     is its highest",
                ));
            }
        };
        Ok(FoundPriority(set_priority(raised)))
    }

    fn restore_priority(&self, found: &FoundPriority) {
        set_priority(found.0);
    }

    fn pin(&self, processors: &[usize]) -> Result<FoundAffinity, OsError> {
        if processors.is_empty() {
            return Err(OsError::invalid_input(
                "the set of processors is empty; name at least one",
            ));
        }
        call_system(|_, kernel| {
            let thread = kernel.current_thread();
            let found = kernel.affinity(thread).unwrap_or_default();
            if let Some(other) = processors.iter().find(|other| bit(**other) & found == 0) {
                return Err(OsError::invalid_input(format!(
                    "this thread may not use processor {other}; it may use those set in \
                     {found:#b}"
                )));
            }
            let wanted = processors.iter().fold(0, |all, one| all | bit(*one));
            kernel.set_affinity(thread, wanted);
            Ok(FoundAffinity(found))
        })
    }

    fn restore_affinity(&self, found: &FoundAffinity) {
        call_system(|_, kernel| {
            let thread = kernel.current_thread();
            kernel.set_affinity(thread, found.0);
        });
    }

    /// # Errors
    /// [Unsupported](OsError::is_unsupported), always.
    fn slice(&self) -> Result<Duration, OsError> {
        Err(no_slice())
    }

    /// # Errors
    /// [Unsupported](OsError::is_unsupported), always.
    fn set_slice(&self, _: Duration) -> Result<Infallible, OsError> {
        Err(no_slice())
    }

    fn restore_slice(&self, found: &Infallible) {
        match *found {}
    }

    /// No memory of a simulated machine is ever taken away.
    fn lock_memory(&self) -> Result<(), OsError> {
        Ok(())
    }

    fn unlock_memory(&self) {}
}

fn no_slice() -> OsError {
    OsError::unsupported(
        "a plain machine gives no thread a slice of its own; raise the thread's priority instead",
    )
}

/// Zero if there can be no such processor.
fn bit(processor: usize) -> u64 {
    let place = u32::try_from(processor).ok();
    place
        .and_then(|place| 1_u64.checked_shl(place))
        .unwrap_or(0)
}

/// Sets the calling thread's priority and returns what it was.
fn set_priority(priority: u8) -> u8 {
    call_system(|_, kernel| {
        let thread = kernel.current_thread();
        let found = kernel.priority(thread).unwrap_or(NORMAL_PRIORITY);
        kernel.set_priority(thread, priority);
        found
    })
}
