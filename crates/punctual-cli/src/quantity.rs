//! Quantities for people: rounded, with units.

use punctual::Period;
use std::time::Duration;

/// A period in nanoseconds, as precise as a float.
pub fn period_ns(period: Period) -> f64 {
    let (numerator, denominator) = period.to_nanos_fraction();
    numerator as f64 / denominator as f64
}

/// A duration in three digits and a unit, at most eight characters: `45 ns`, `73.5 µs`, `15.6 ms`.
pub fn show(duration: Duration) -> String {
    let nanos = duration.as_nanos();
    let (unit, nanos_per_unit) = match nanos {
        0..1_000 => return format!("{nanos} ns"),
        1_000..999_500 => ("µs", 1e3),
        999_500..999_500_000 => ("ms", 1e6),
        _ => ("s", 1e9),
    };
    let value = duration.as_secs_f64() * 1e9 / nanos_per_unit;
    let digits = match value {
        ..9.995 => 2,
        ..99.95 => 1,
        _ => 0,
    };
    format!("{value:.digits$} {unit}")
}

/// A requested duration, in the largest unit in which it is a whole number: `30 d`, `90 s`;
/// otherwise like any other duration.
pub fn show_asked(duration: Duration) -> String {
    const UNITS: [(u64, &str); 3] = [(86_400, "d"), (3_600, "h"), (60, "min")];
    let seconds = duration.as_secs();
    let is_whole = |unit: &&(u64, &str)| seconds > 0 && seconds.is_multiple_of(unit.0);
    match UNITS.iter().find(is_whole) {
        Some((unit, name)) if duration.subsec_nanos() == 0 => format!("{} {name}", seconds / unit),
        _ => show(duration),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use punctual_lab::quantity::parse_duration;

    #[test]
    fn what_was_asked_for_is_shown_in_its_unit() {
        let shown = |text| show_asked(parse_duration(text).unwrap());
        for (typed, seen) in [
            ("30d", "30 d"),
            ("48h", "2 d"),
            ("5h", "5 h"),
            ("1min", "1 min"),
            ("90s", "90.0 s"),
            ("300ms", "300 ms"),
            ("60.5s", "60.5 s"),
            ("0s", "0 ns"),
        ] {
            assert_eq!(shown(typed), seen);
        }
    }

    #[test]
    fn durations_are_shown_in_three_digits() {
        let shown = |nanos| show(Duration::from_nanos(nanos));
        assert_eq!(shown(0), "0 ns");
        assert_eq!(shown(45), "45 ns");
        assert_eq!(shown(1_000), "1.00 µs");
        assert_eq!(shown(73_512), "73.5 µs");
        assert_eq!(shown(99_960), "100 µs");
        assert_eq!(shown(999_499), "999 µs");
        assert_eq!(shown(999_500), "1.00 ms");
        assert_eq!(shown(15_625_000), "15.6 ms");
        assert_eq!(shown(61_000_000_000), "61.0 s");
    }
}
