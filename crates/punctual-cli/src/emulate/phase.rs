//! The phase of the ticks when a program starts.

use super::flags::As;
use punctual_data::quantity::whole_nanos;
use punctual_sim::random::Random;
use std::time::Duration;

/// What phases are drawn for: apart from all else that comes from the same seed.
const PHASES: u64 = 4 << 32;

/// Phases are in whole microseconds, which are easy to write again.
const STEP_NS: u64 = 1_000;

/// The golden ratio's share of an interval: phases that far apart cover it evenly, however many they are.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// The phase of this run of a series: drawn for the first, and spread evenly from there on.
pub(super) fn drawn(seed: u64, number: u64, version: &As) -> Duration {
    let interval = whole_nanos(version.0.parameters.default_interval);
    let mut random = Random::stream(seed, PHASES);
    let first = random.between(0, interval - 1) as f64 / interval as f64;
    let share = (first + number as f64 * GOLDEN).fract();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between zero and an interval"
    )]
    let after = (share * interval as f64) as u64;
    Duration::from_nanos(after / STEP_NS * STEP_NS)
}

/// A phase as `--phase` reads it.
pub(super) fn written(phase: Duration) -> String {
    format!("{}us", phase.as_micros())
}

#[cfg(test)]
mod tests {
    use super::*;
    use punctual_data::quantity::parse_duration;

    #[test]
    fn phases_are_repeatable_and_cover_an_interval() {
        let version: As = "windows-7".parse().unwrap();
        let interval = version.0.parameters.default_interval;
        let mut phases: Vec<Duration> = (0..20).map(|number| drawn(1, number, &version)).collect();
        assert_eq!(phases[3], drawn(1, 3, &version));
        for phase in &phases {
            assert_eq!(parse_duration(&written(*phase)), Ok(*phase));
        }
        phases.sort_unstable();
        phases.push(phases[0] + interval);
        let gaps = phases.windows(2).map(|pair| pair[1] - pair[0]);
        assert!(gaps.max() < Some(interval / 8));
    }
}
