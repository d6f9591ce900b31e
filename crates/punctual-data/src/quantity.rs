//! Durations, frequencies and shares: as people type them and questions are written (`1ms`, `59.94Hz`, `5%`), which is
//! exact in both directions, and as people read them, which is rounded.

use punctual::Period;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A decimal number, exactly: `numerator / denominator`, the denominator a power of ten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Decimal {
    numerator: u128,
    denominator: u128,
}

impl Decimal {
    fn parse(text: &str) -> Option<Self> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        if !is_decimal(text) {
            return None;
        }
        let numerator = format!("{whole}{fraction}").parse().ok()?;
        let denominator = 10_u128.checked_pow(fraction.len().try_into().ok()?)?;
        Some(Self {
            numerator,
            denominator,
        })
    }
}

/// Digits, with an optional decimal point; no sign, no exponent.
fn is_decimal(text: &str) -> bool {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut digits = whole.bytes().chain(fraction.bytes());
    !whole.is_empty() && digits.all(|byte| byte.is_ascii_digit())
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

/// The number of nanoseconds in a unit of time.
fn nanos_per_unit(unit: &str) -> Option<u128> {
    match unit {
        "ns" => Some(1),
        "us" | "µs" | "μs" => Some(1_000),
        "ms" => Some(1_000_000),
        "s" => Some(NANOS_PER_SECOND),
        "min" => Some(60 * NANOS_PER_SECOND),
        "h" => Some(3_600 * NANOS_PER_SECOND),
        "d" => Some(86_400 * NANOS_PER_SECOND),
        _ => None,
    }
}

const NANOS_PER_SECOND: u128 = 1_000_000_000;

/// Parses a duration such as `10s`, `1.5ms` or `200us`.
///
/// # Errors
/// If the text is not a duration. The message says what a duration looks like.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split_unit(text);
    let wrong = || {
        format!(
            "'{text}' is not a duration; write a number and a unit (ns, us, ms, s, min, h, d), such as 1.5ms"
        )
    };
    let decimal = Decimal::parse(number).ok_or_else(wrong)?;
    let unit = nanos_per_unit(unit).ok_or_else(wrong)?;
    let nanos = decimal.numerator.checked_mul(unit);
    let nanos = nanos.map(|nanos| nanos / decimal.denominator);
    match nanos.and_then(|nanos| u64::try_from(nanos).ok()) {
        Some(nanos) => Ok(Duration::from_nanos(nanos)),
        None => Err(format!("'{text}' is longer than 584 years")),
    }
}

/// A duration in the form that [`parse_duration`] reads, exact, and safe in every shell: `15.6ms`,
/// `500us`.
pub fn write_duration(duration: Duration) -> String {
    format!("{duration:?}").replace('µ', "u")
}

/// Parses a period: a duration (`1ms`), or a frequency (`60Hz`, `59.94Hz`, `30000/1001Hz`).
///
/// # Errors
/// If the text is not a period. The message says what a period looks like.
pub fn parse_period(text: &str) -> Result<Period, String> {
    let period = match text.strip_suffix("Hz") {
        Some(frequency) => parse_frequency(frequency.trim_end()),
        None => parse_length(text),
    };
    period.ok_or_else(|| {
        format!(
            "'{text}' is not a period; write a duration above zero such as 1ms, \
             or a frequency such as 60Hz or 30000/1001Hz"
        )
    })
}

fn parse_length(text: &str) -> Option<Period> {
    let (number, unit) = split_unit(text);
    let decimal = Decimal::parse(number)?;
    let numerator = decimal.numerator.checked_mul(nanos_per_unit(unit)?)?;
    period_of_nanos(numerator, decimal.denominator)
}

/// A numerator with an optional decimal point, over a whole denominator.
fn parse_frequency(text: &str) -> Option<Period> {
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    let numerator = Decimal::parse(numerator.trim())?;
    let denominator: u128 = denominator.trim().parse().ok()?;
    let seconds = denominator.checked_mul(numerator.denominator)?;
    let nanos = seconds.checked_mul(NANOS_PER_SECOND)?;
    period_of_nanos(nanos, numerator.numerator)
}

/// Reduces to lowest terms, which may fit if the given numbers do not.
fn period_of_nanos(numerator: u128, denominator: u128) -> Option<Period> {
    let divisor = greatest_common_divisor(numerator, denominator).max(1);
    let numerator = u64::try_from(numerator / divisor).ok()?;
    let denominator = u64::try_from(denominator / divisor).ok()?;
    Period::try_from_nanos_fraction(numerator, denominator).ok()
}

fn greatest_common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// A period in the form that [`parse_period`] reads, exact: `1ms`, or `30000/1001Hz` if it is not a
/// whole number of nanoseconds.
pub fn write_period(period: Period) -> String {
    let (nanos, denominator) = period.to_nanos_fraction();
    if denominator == 1 {
        return write_duration(Duration::from_nanos(nanos));
    }
    let hertz = u128::from(denominator) * NANOS_PER_SECOND;
    let divisor = greatest_common_divisor(hertz, nanos.into());
    match (hertz / divisor, u128::from(nanos) / divisor) {
        (hertz, 1) => format!("{hertz}Hz"),
        (numerator, denominator) => format!("{numerator}/{denominator}Hz"),
    }
}

/// Parses a share of a whole, `5%` or `0.05`.
///
/// # Errors
/// If the text is not a share. The message says what a share looks like.
pub fn parse_share(text: &str) -> Result<f64, String> {
    let (number, whole) = match text.strip_suffix('%') {
        Some(percent) => (percent.trim_end(), 100.0),
        None => (text, 1.0),
    };
    let number: Option<f64> = Some(number)
        .filter(|text| is_decimal(text))
        .and_then(|text| text.parse().ok());
    number
        .map(|number| number / whole)
        .filter(|share| *share <= 1.0)
        .ok_or_else(|| format!("'{text}' is not a share; write 0% to 100%, such as 5% or 0.05"))
}

/// A share in the form that [`parse_share`] reads, exact: `0.05`.
pub fn write_share(share: f64) -> String {
    format!("{share}")
}

/// A period in nanoseconds, as precise as a float.
pub fn period_ns(period: Period) -> f64 {
    let (numerator, denominator) = period.to_nanos_fraction();
    numerator as f64 / denominator as f64
}

/// A duration in whole nanoseconds, of which 64 bits hold 584 years.
pub fn whole_nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// The nearest whole number; the nearest that 64 bits hold.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast saturates"
)]
pub fn rounded(number: f64) -> u64 {
    number.round() as u64
}

/// A count of decimal fractions with all its digits: 73,512 thousandths, with three decimals, are `73.512`.
pub fn decimal(count: impl Into<u128>, decimals: u32) -> String {
    let (count, one) = (count.into(), 10_u128.pow(decimals));
    let width = decimals as usize;
    format!("{}.{:0width$}", count / one, count % one)
}

/// The same without zeros at its end: `10` and not `10.000`.
pub fn short_decimal(count: impl Into<u128>, decimals: u32) -> String {
    let text = decimal(count, decimals);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A number of nanoseconds, exactly, in the largest unit that gives at least one: 50000 is `50 µs`.
pub fn exact_nanos(nanos: u64) -> String {
    match nanos {
        1_000_000.. => format!("{} ms", short_decimal(nanos, 6)),
        1_000.. => format!("{} µs", short_decimal(nanos, 3)),
        _ => format!("{nanos} ns"),
    }
}

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
mod tests;
