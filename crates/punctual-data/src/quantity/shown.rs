//! Quantities for people: rounded, with units.

use super::whole_nanos;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A duration in three digits and a unit, at most eight characters: `45 ns`, `73.5 µs`, `15.6 ms`.
pub fn show(duration: Duration) -> String {
    nanos(whole_nanos(duration))
}

/// The same of a number of nanoseconds.
pub fn nanos(nanos: u64) -> String {
    let (unit, nanos_per_unit) = match nanos {
        0..1_000 => return format!("{nanos} ns"),
        1_000..999_500 => ("µs", 1e3),
        999_500..999_500_000 => ("ms", 1e6),
        _ => ("s", 1e9),
    };
    let value = nanos as f64 / nanos_per_unit;
    let digits = match value {
        ..9.995 => 2,
        ..99.95 => 1,
        _ => 0,
    };
    format!("{value:.digits$} {unit}")
}

/// A duration that can be a fraction of a nanosecond, such as the cost of reading a clock: `0.4 ns`.
pub fn fraction_of_nanos(ns: f64) -> String {
    match ns {
        ..9.95 => format!("{ns:.1} ns"),
        ..999.5 => format!("{ns:.0} ns"),
        ..9_995.0 => format!("{:.2} µs", ns / 1e3),
        ..999_500.0 => format!("{:.1} µs", ns / 1e3),
        _ => format!("{:.2} ms", ns / 1e6),
    }
}

/// Seconds in three digits, with their sign.
pub fn signed_seconds(seconds: f64) -> String {
    let sign = if seconds < 0.0 { '-' } else { '+' };
    let shown = Duration::try_from_secs_f64(seconds.abs()).unwrap_or(Duration::MAX);
    format!("{sign}{}", show(shown))
}

/// To the fourth digit of a millisecond or of another unit: VirtualDub's tables have this
/// precision.
pub fn average_interval(ns: f64) -> String {
    match ns {
        ..999_999.5 => format!("{:.3} µs", ns / 1e3),
        ..999_999_950.0 => format!("{:.4} ms", ns / 1e6),
        _ => format!("{:.4} s", ns / 1e9),
    }
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

/// How long ago something was, in the greatest unit: `3 h`.
pub fn ago(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        7_200..172_800 => format!("{} h", seconds / 3_600),
        _ => format!("{} days", seconds / 86_400),
    }
}

/// A date and a time of day in UTC, to the second: `2025-06-15 15:06:40`.
pub fn date(time: SystemTime) -> String {
    // What is before 1970 or after 9999 has no date there.
    let last = Duration::from_secs(253_402_300_799);
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let text = humantime::format_rfc3339_seconds(UNIX_EPOCH + since.min(last)).to_string();
    text.trim_end_matches('Z').replace('T', " ")
}

/// A power of ten of nanoseconds, as on axes: `10 µs`.
pub fn decade(exponent: i32) -> String {
    let (unit, rest) = match exponent {
        ..3 => ("ns", exponent),
        3..6 => ("µs", exponent - 3),
        6..9 => ("ms", exponent - 6),
        _ => ("s", exponent - 9),
    };
    match rest {
        0..4 => format!("{} {unit}", 10_u32.pow(rest.unsigned_abs())),
        _ => format!("1e{rest} {unit}"),
    }
}

/// A share in at most five characters, for tables: `12.3%`.
pub fn percent(share: f64) -> String {
    match share {
        ..0.9995 => format!("{:.1}%", share * 100.0),
        _ => format!("{:.0}%", share * 100.0),
    }
}

/// A share in a sentence: `1.2 %`, `45 %`.
pub fn percent_in_words(share: f64) -> String {
    let percent = share * 100.0;
    match percent.abs() {
        ..10.0 => format!("{percent:.1} %"),
        _ => format!("{percent:.0} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse_duration;
    use super::*;

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
        for (ns, shown) in [
            (0, "0 ns"),
            (45, "45 ns"),
            (1_000, "1.00 µs"),
            (73_512, "73.5 µs"),
            (84_490, "84.5 µs"),
            (99_960, "100 µs"),
            (999_499, "999 µs"),
            (999_500, "1.00 ms"),
            (15_625_000, "15.6 ms"),
            (999_500_000, "1.00 s"),
            (61_000_000_000, "61.0 s"),
        ] {
            assert_eq!(nanos(ns), shown);
        }
    }

    #[test]
    fn small_costs_have_a_fraction() {
        let shown = [0.42, 9.94, 9.96, 73_512.4, 16e6].map(fraction_of_nanos);
        assert_eq!(shown, ["0.4 ns", "9.9 ns", "10 ns", "73.5 µs", "16.00 ms"]);
    }

    #[test]
    fn seconds_have_their_sign() {
        assert_eq!(signed_seconds(-0.0017), "-1.70 ms");
        assert_eq!(signed_seconds(7_406.0), "+7406 s");
    }

    #[test]
    fn averages_have_the_digits_of_published_tables() {
        assert_eq!(average_interval(109_375_000.0), "109.3750 ms");
        assert_eq!(average_interval(33_366_666.7), "33.3667 ms");
        assert_eq!(average_interval(999_999.9), "1.0000 ms");
        assert_eq!(average_interval(90_000.0), "90.000 µs");
    }

    #[test]
    fn decades_have_short_names() {
        let named = [0, 1, 3, 5, 8, 9, 12, 19].map(decade);
        let names = [
            "1 ns", "10 ns", "1 µs", "100 µs", "100 ms", "1 s", "1000 s", "1e10 s",
        ];
        assert_eq!(named, names);
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        let shown = |seconds| date(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(shown(0), "1970-01-01 00:00:00");
        assert_eq!(shown(951_782_400), "2000-02-29 00:00:00");
        assert_eq!(shown(1_750_000_000), "2025-06-15 15:06:40");
        assert_eq!(shown(4_102_444_799), "2099-12-31 23:59:59");
        assert_eq!(shown(1 << 40), "9999-12-31 23:59:59");
        assert_eq!(date(UNIX_EPOCH - Duration::from_secs(1)), shown(0));
    }
}
