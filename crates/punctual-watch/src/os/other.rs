//! Systems without a folder of their own.

#[path = "other/no_quota.rs"]
mod no_quota;

use crate::disturbances::Clocks;
use crate::readings::Reading;
use punctual::os::Scheduling;
use punctual::{Error, Native};
use punctual_lab::environment::ProcessorSet;
use std::time::Duration;

pub(crate) use no_quota::OwnQuota;

/// Those that are online.
pub(crate) fn possible_processors() -> Option<ProcessorSet> {
    None
}

/// Keeps the calling thread on this processor.
///
/// # Errors
/// If the system does not.
pub(crate) fn pin(processor: usize) -> Result<(), Error> {
    Native::detect()?.pin(&[processor]).map(|_| ())
}

/// Unknown.
pub(crate) fn this_thread() -> u32 {
    0
}

/// None that tell anything apart.
pub(crate) fn clocks() -> Clocks {
    Clocks {
        awake_ns: 0,
        boot_ns: 0,
        wall_ns: 0,
    }
}

/// Unknown.
pub(crate) fn process_time() -> Duration {
    Duration::ZERO
}

/// None.
pub(crate) fn numbers(_: &[usize]) -> Vec<Reading> {
    Vec::new()
}

/// Unknown.
pub(crate) fn clock_source() -> Option<String> {
    None
}

/// None.
pub(crate) fn own_facts() -> Vec<(&'static str, String)> {
    Vec::new()
}
