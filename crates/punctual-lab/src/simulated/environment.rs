//! What is known about a simulated machine.

use super::SimulatedOs;
use crate::Environment;
use crate::environment::{ProcessorSet, clock_cost_ns};
use punctual::os::windows::Win32;

/// The machine as it is now. Its facts are few: what it has no word for, it does not have.
pub(super) fn read(os: &SimulatedOs) -> Environment {
    let none = || Some("none".to_owned());
    let resolution = os.win32().nt_query_timer_resolution().ok();
    let own = os.win32().get_current_process();
    let masks = os.win32().get_process_affinity_mask(own).ok();
    let processors: Option<ProcessorSet> = masks.map(|masks| numbers(masks.process).collect());
    Environment {
        processors_online: processors.clone(),
        processors_usable: processors,
        hypervisor: none(),
        container: none(),
        clock_source: Some("QueryPerformanceCounter".to_owned()),
        clock_cost_ns: Some(clock_cost_ns(os)),
        timer_interval_ns: resolution.map(|now| u64::from(now.current_time) * NANOS_PER_UNIT),
        superuser: Some(true),
        may_raise_priority: Some(true),
        queue_time_readable: Some(true),
        ..Environment::default()
    }
}

/// `NtQueryTimerResolution` counts in these.
const NANOS_PER_UNIT: u64 = 100;

/// The numbers of the bits that are set.
fn numbers(mask: usize) -> impl Iterator<Item = u32> {
    (0..usize::BITS).filter(move |bit| mask >> bit & 1 == 1)
}
