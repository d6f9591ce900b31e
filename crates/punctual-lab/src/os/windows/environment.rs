//! Reads what Windows tells every program about the machine, without a privilege.

mod power;
mod privileges;
mod processor;
mod registry;
mod version;

use crate::Environment;
use crate::Native;
use crate::environment::windows;

/// The machine as it is now, for the calling thread.
pub(super) fn read(os: &Native) -> Environment {
    let mut environment = windows::read(os);
    environment.architecture = Some(std::env::consts::ARCH.to_owned());
    version::read(&mut environment);
    processor::read(&mut environment);
    power::read(&mut environment);
    environment.product = product();
    environment.queue_time_readable = Some(false);
    privileges::read(&mut environment);
    environment
}

/// The machine's name in its firmware.
fn product() -> Option<String> {
    const BIOS: &str = r"HARDWARE\DESCRIPTION\System\BIOS";
    let maker = registry::text(BIOS, "SystemManufacturer");
    let name = registry::text(BIOS, "SystemProductName");
    let both = [maker, name].into_iter().flatten().collect::<Vec<_>>();
    (!both.is_empty()).then(|| both.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_decides_most_is_known() {
        let environment = read(&Native::detect().unwrap());
        assert!(
            environment
                .system
                .is_some_and(|system| system.starts_with("Windows"))
        );
        assert!(
            environment
                .kernel
                .is_some_and(|kernel| kernel.starts_with("NT "))
        );
        assert!(environment.timer_interval_ns.is_some_and(|nanos| nanos > 0));
        assert!(
            environment
                .performance_counter_hertz
                .is_some_and(|hertz| hertz > 0)
        );
        assert!(environment.processors_online.is_some());
        assert!(environment.wine.is_some());
    }
}
