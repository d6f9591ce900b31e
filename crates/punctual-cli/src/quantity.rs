//! Quantities with units, as people type them: `1ms`, `59.94Hz`, `5%`.

use punctual::Period;
use std::time::Duration;

/// A decimal number, exactly: `numerator / denominator`, the denominator a power of ten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Decimal {
    numerator: u64,
    denominator: u64,
}

impl Decimal {
    fn parse(text: &str) -> Option<Self> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let digits = || whole.bytes().chain(fraction.bytes());
        if whole.is_empty() || !digits().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let numerator = format!("{whole}{fraction}").parse().ok()?;
        let denominator = 10_u64.checked_pow(fraction.len().try_into().ok()?)?;
        Some(Self {
            numerator,
            denominator,
        })
    }
}

/// A number and the unit behind it.
fn split_unit(text: &str) -> (&str, &str) {
    let is_number = |character: char| character.is_ascii_digit() || character == '.';
    let unit_at = text
        .find(|character| !is_number(character))
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(unit_at);
    (number, unit.trim_start())
}

/// How many nanoseconds a unit of time has.
fn nanos_per_unit(unit: &str) -> Option<u64> {
    match unit {
        "ns" => Some(1),
        "us" | "µs" | "μs" => Some(1_000),
        "ms" => Some(1_000_000),
        "s" => Some(1_000_000_000),
        "min" => Some(60_000_000_000),
        "h" => Some(3_600_000_000_000),
        "d" => Some(86_400_000_000_000),
        _ => None,
    }
}

/// Parses a duration such as `10s`, `1.5ms` or `200us`.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split_unit(text);
    let wrong = || {
        format!(
            "'{text}' is not a duration; write a number and a unit (ns, us, ms, s, min, h, d), such as 1.5ms"
        )
    };
    let decimal = Decimal::parse(number).ok_or_else(wrong)?;
    let nanos = u128::from(decimal.numerator) * u128::from(nanos_per_unit(unit).ok_or_else(wrong)?);
    let nanos = nanos / u128::from(decimal.denominator);
    match u64::try_from(nanos) {
        Ok(nanos) => Ok(Duration::from_nanos(nanos)),
        Err(_) => Err(format!("'{text}' is longer than 584 years")),
    }
}

/// The shortest period that can be measured: reading the clock and keeping count take up to a
/// microsecond themselves.
const SHORTEST_PERIOD: Duration = Duration::from_micros(1);

/// Parses a period: a duration (`1ms`), or a frequency (`60Hz`, `59.94Hz`, `30000/1001Hz`).
pub fn parse_period(text: &str) -> Result<Period, String> {
    let period = match text.strip_suffix("Hz") {
        Some(frequency) => parse_frequency(frequency.trim_end()),
        None => parse_length(text),
    };
    let period = period.ok_or_else(|| {
        format!(
            "'{text}' is not a period; write a duration above zero such as 1ms, \
             or a frequency such as 60Hz or 30000/1001Hz"
        )
    })?;
    if period.to_duration() < SHORTEST_PERIOD {
        return Err(format!(
            "'{text}' is too short to measure; the least is 1us"
        ));
    }
    Ok(period)
}

fn parse_length(text: &str) -> Option<Period> {
    let (number, unit) = split_unit(text);
    let decimal = Decimal::parse(number)?;
    let numerator = decimal.numerator.checked_mul(nanos_per_unit(unit)?)?;
    Period::try_from_nanos_fraction(numerator, decimal.denominator).ok()
}

fn parse_frequency(text: &str) -> Option<Period> {
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    let numerator = Decimal::parse(numerator.trim())?;
    let denominator: u64 = denominator.trim().parse().ok()?;
    let denominator = denominator.checked_mul(numerator.denominator)?;
    Period::try_from_hertz_fraction(numerator.numerator, denominator).ok()
}

/// Parses a share of a whole, `5%` or `0.05`.
pub fn parse_share(text: &str) -> Result<f64, String> {
    let (number, whole) = match text.strip_suffix('%') {
        Some(percent) => (percent.trim_end(), 100.0),
        None => (text, 1.0),
    };
    let decimal = Decimal::parse(number);
    let share =
        decimal.map(|decimal| decimal.numerator as f64 / decimal.denominator as f64 / whole);
    share
        .filter(|share| *share <= 1.0)
        .ok_or_else(|| format!("'{text}' is not a share; write 0% to 100%, such as 5% or 0.05"))
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

/// A duration that somebody asked for, in the largest unit that it is whole in: `30 d`, `90 s`; else
/// as any other.
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
    fn durations_need_a_unit() {
        assert_eq!(parse_duration("1ms"), Ok(Duration::from_millis(1)));
        assert_eq!(parse_duration("1.5 ms"), Ok(Duration::from_micros(1_500)));
        assert_eq!(parse_duration("200us"), parse_duration("200µs"));
        assert_eq!(parse_duration("2min"), Ok(Duration::from_secs(120)));
        assert_eq!(parse_duration("1d"), parse_duration("24h"));
        for wrong in ["5", "", "ms", "-1ms", "1.ms.", "1e3s", "1 parsec", ".5s"] {
            assert!(
                parse_duration(wrong).unwrap_err().contains("unit"),
                "{wrong}"
            );
        }
        assert!(
            parse_duration("99999999h")
                .unwrap_err()
                .contains("584 years")
        );
    }

    #[test]
    fn periods_are_exact_however_they_are_said() {
        let ntsc = Period::try_from_hertz_fraction(30_000, 1_001);
        assert_eq!(parse_period("30000/1001Hz").ok(), ntsc.ok());
        assert_eq!(parse_period("1ms"), parse_period("1000Hz"));
        assert_eq!(parse_period("59.94Hz"), parse_period("5994/100 Hz"));
        assert_eq!(parse_period("0.25ms"), parse_period("4000Hz"));
    }

    #[test]
    fn what_is_no_period_is_refused() {
        for wrong in ["0", "0ms", "5", "0Hz", "1/0Hz", "Hz", "-1ms", "1/2ms"] {
            assert!(
                parse_period(wrong).unwrap_err().contains("such as 1ms"),
                "{wrong}"
            );
        }
        assert!(parse_period("999ns").unwrap_err().contains("least is 1us"));
    }

    #[test]
    fn shares_are_percentages_or_fractions_up_to_the_whole() {
        assert_eq!(parse_share("5%"), Ok(0.05));
        assert_eq!(parse_share("0.05"), Ok(0.05));
        assert_eq!(parse_share("100%"), Ok(1.0));
        for wrong in ["140%", "5", "-1%", "%", "", "five"] {
            assert!(
                parse_share(wrong).unwrap_err().contains("0% to 100%"),
                "{wrong}"
            );
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
