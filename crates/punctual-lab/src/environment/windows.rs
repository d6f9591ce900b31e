//! The facts that every Windows tells, real or simulated, through the same calls.

use super::{Environment, ProcessorSet, clock_cost_ns};
use punctual::os::windows::WindowsOs;
use punctual_windows::NANOS_PER_UNIT;
use punctual_windows::os::windows::Win32Lab;

/// The unit of `NtQueryTimerResolution` and `GetSystemTimeAdjustment`.
/// The current facts that are read in the same way on every Windows.
pub fn read<W: Win32Lab>(os: &WindowsOs<W>) -> Environment {
    let win32 = os.win32();
    let masks = win32.get_process_affinity_mask();
    // A process with threads in several processor groups has no mask.
    let masks = masks.ok().filter(|masks| masks.process != 0);
    let mut environment = Environment {
        processors_online: masks.map(|masks| processors(masks.system)),
        processors_usable: masks.map(|masks| processors(masks.process)),
        clock_source: Some("QueryPerformanceCounter".to_owned()),
        clock_cost_ns: Some(clock_cost_ns(os)),
        performance_counter_hertz: u64::try_from(win32.query_performance_frequency()).ok(),
        ..Environment::default()
    };
    let nanos = |units: u32| Some(u64::from(units) * NANOS_PER_UNIT);
    match win32.get_system_time_adjustment() {
        Ok(found) => {
            environment.system_time_increment_ns = nanos(found.increment);
            environment.system_time_adjustment_ns = nanos(match found.is_disabled {
                true => found.increment,
                false => found.adjustment,
            });
        }
        Err(error) => {
            let reason = format!("the system clock's adjustment: the query failed ({error})");
            environment.not_known.push(reason);
        }
    }
    match win32.nt_query_timer_resolution() {
        Ok(found) => {
            environment.timer_interval_ns = nanos(found.current_time);
            environment.timer_interval_maximum_ns = nanos(found.maximum_time);
            environment.timer_interval_minimum_ns = nanos(found.minimum_time);
        }
        Err(error) => {
            let reason = format!("the timer interval: the query failed ({error})");
            environment.not_known.push(reason);
        }
    }
    environment
}

/// The processors whose bits are set.
fn processors(mask: usize) -> ProcessorSet {
    (0..usize::BITS)
        .filter(|bit| mask >> bit & 1 == 1)
        .collect()
}
