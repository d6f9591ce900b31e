//! Linux: the calling thread, the clocks, and what the kernel tells.

mod accounts;
mod facts;
mod quota;

pub(crate) use accounts::numbers;
pub(crate) use facts::{clock_source, own_facts, possible_processors};
pub(crate) use quota::OwnQuota;

use crate::disturbances::Clocks;
use punctual::Error;
use rustix::thread::{CpuSet, gettid, sched_setaffinity};
use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// The number of the calling thread.
pub(crate) fn this_thread() -> u32 {
    gettid().as_raw_nonzero().get().unsigned_abs()
}

/// Keeps the calling thread on this processor. The former set does not matter: the kernel forgets it when the
/// processor goes offline, and it must be possible to return.
///
/// # Errors
/// If the processor is offline, or this process may not use it.
pub(crate) fn pin(processor: usize) -> Result<(), Error> {
    let refused = |why: &str| Error::system(format!("processor {processor} {why}"));
    if processor >= CpuSet::MAX_CPU {
        return Err(refused("has a number that is too great"));
    }
    let mut only = CpuSet::new();
    only.set(processor);
    sched_setaffinity(None, &only).map_err(|error| {
        let why = "is offline, or this process may not use it";
        refused(why).because_of(std::io::Error::from(error))
    })
}

/// All clocks at one moment.
pub(crate) fn clocks() -> Clocks {
    Clocks {
        awake_ns: nanos(ClockId::Monotonic),
        boot_ns: nanos(ClockId::Boottime),
        wall_ns: nanos(ClockId::Realtime),
    }
}

/// The processor time of all threads of this process.
pub(crate) fn process_time() -> Duration {
    Duration::from_nanos(nanos(ClockId::ProcessCPUTime))
}

fn nanos(clock: ClockId) -> u64 {
    let time = Duration::try_from(clock_gettime(clock)).unwrap_or_default();
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
