//! Reads what macOS tells about the machine. This needs no privilege.

use super::sysctl::{number, text};
use crate::Environment;
use crate::environment::clock_cost_ns;
use punctual::{Instant, Native};
use std::time::Duration;

pub(super) fn read(os: &Native) -> Environment {
    let count = number(c"hw.logicalcpu");
    Environment {
        system: text(c"kern.osproductversion").map(|version| match text(c"kern.osversion") {
            Some(build) => format!("macOS {version} ({build})"),
            None => format!("macOS {version}"),
        }),
        kernel: text(c"kern.osrelease").map(|release| format!("Darwin {release}")),
        architecture: Some(std::env::consts::ARCH.to_owned()),
        processor: text(c"machdep.cpu.brand_string"),
        processors_online: count.map(|count| (0..count).collect()),
        processors_usable: count.map(|count| (0..count).collect()),
        product: text(c"hw.model"),
        // The value tells whether there is one, but not which.
        hypervisor: number(c"kern.hv_vmm_present").map(|present| {
            let word = if present == 0 { "none" } else { "unnamed" };
            word.to_owned()
        }),
        clock_source: Some(clock_source(os)),
        clock_cost_ns: Some(clock_cost_ns(os)),
        // The kernel sets an interrupt for the next timer: there is no tick to wait for.
        high_resolution_timers: Some(true),
        superuser: Some(is_superuser()),
        // A class or a time constraint needs no privilege.
        may_raise_priority: Some(true),
        queue_time_readable: Some(false),
        load_average_1_minute: load_average(),
        ..Environment::default()
    }
}

/// The clock, and its rate from the timebase.
fn clock_source(os: &Native) -> String {
    let second = Instant::ZERO + Duration::from_secs(1);
    let counts = os.mach_absolute_time_at(second);
    format!("mach_absolute_time, {} MHz", counts as f64 / 1e6)
}

fn is_superuser() -> bool {
    // SAFETY: no arguments, and it cannot fail.
    unsafe { libc::geteuid() == 0 }
}

fn load_average() -> Option<f64> {
    let mut load = 0.0;
    // SAFETY: there is room for the one value.
    let count = unsafe { libc::getloadavg(&raw mut load, 1) };
    (count == 1).then_some(load)
}
