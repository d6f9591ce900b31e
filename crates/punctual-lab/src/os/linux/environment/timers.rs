//! What the kernel's clock counts, its tick rate, and the precision of its timers.

use super::calls::{resolution_ns, timer_slack_ns};
use super::source::Source;
use crate::Environment;

const CURRENT: &str = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
const AVAILABLE: &str = "/sys/devices/system/clocksource/clocksource0/available_clocksource";

/// The highest tick rate that is accepted: kernels are built for 24 to 1200 ticks a second. Systems
/// that imitate Linux may give their coarse clock the resolution of the fine one.
const HIGHEST_TICK_RATE_HERTZ: u64 = 10_000;

pub(super) fn read(source: &mut Source, into: &mut Environment) {
    into.clock_source = source.fact("clock source", CURRENT, |text| words(text).pop());
    into.clock_sources_available = source.fact("clock sources available", AVAILABLE, |text| {
        Some(words(text))
    });
    into.load_average_1_minute = source.fact("load average", "/proc/loadavg", load_average);
}

/// The facts that are in no file.
pub(super) fn ask_kernel(source: &mut Source, into: &mut Environment) {
    into.tick_rate_hertz = resolution_ns(libc::CLOCK_MONOTONIC_COARSE).and_then(tick_rate);
    if into.tick_rate_hertz.is_none() {
        source.not_known("tick rate", "the coarse clock's resolution is not a tick");
    }
    // The kernel reports one nanosecond if timers are high-resolution, and otherwise a tick.
    into.high_resolution_timers =
        resolution_ns(libc::CLOCK_MONOTONIC).map(|resolution| resolution == 1);
    into.timer_slack_ns = timer_slack_ns();
    if into.timer_slack_ns.is_none() {
        source.not_known("timer slack", "the kernel refuses PR_GET_TIMERSLACK");
    }
}

/// The coarse clock moves at the tick, so its resolution is the time between ticks, rounded to the
/// nanosecond. That gives `CONFIG_HZ` on every kernel, even if the configuration is not readable.
fn tick_rate(resolution_ns: u64) -> Option<u64> {
    let hertz = (1_000_000_000 + resolution_ns / 2).checked_div(resolution_ns)?;
    (1..=HIGHEST_TICK_RATE_HERTZ)
        .contains(&hertz)
        .then_some(hertz)
}

/// `0.07 0.14 0.09 2/86 8565`: the first number is the average of the last minute.
fn load_average(text: &str) -> Option<f64> {
    let load: f64 = text.split_whitespace().next()?.parse().ok()?;
    load.is_finite().then_some(load)
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_usual_tick_rate_is_found() {
        for hertz in [24, 48, 100, 128, 200, 250, 256, 300, 500, 1000, 1024, 1200] {
            // TICK_NSEC of the kernel's include/linux/jiffies.h.
            let resolution = (1_000_000_000 + hertz / 2) / hertz;
            assert_eq!(tick_rate(resolution), Some(hertz));
        }
    }

    #[test]
    fn what_is_no_tick_is_not_believed() {
        assert_eq!(tick_rate(0), None);
        assert_eq!(tick_rate(1), None);
        assert_eq!(tick_rate(u64::MAX - 1_000_000_000), None);
    }

    #[test]
    fn load_averages() {
        assert_eq!(load_average("0.07 0.14 0.09 2/86 8565\n"), Some(0.07));
        assert_eq!(load_average(""), None);
        assert_eq!(load_average("high"), None);
        assert_eq!(load_average("NaN"), None);
    }
}
