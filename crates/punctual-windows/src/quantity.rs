//! Lengths of time as text, exactly: `15.6ms`, `976.5625us`.

use super::femtos::Femtos;
use alloc::format;
use alloc::string::String;
use core::time::Duration;

/// Windows counts in units of 100 ns.
pub const NANOS_PER_UNIT: u64 = 100;

/// Unit names and how many decimals they are above a femtosecond.
const UNITS: [(&str, usize); 5] = [("ns", 6), ("us", 9), ("µs", 9), ("ms", 12), ("s", 15)];

/// Reads a length of time such as `15.6ms` or `976562.5ns`, exactly.
///
/// # Errors
/// Says what is wrong with the text and what would be right.
pub fn parse_femtos(text: &str) -> Result<Femtos, String> {
    let wrong =
        || format!("{text:?} is no length of time: write a number and a unit, as in 15.6ms");
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = &text[digits.len()..];
    let (_, decimals) = UNITS
        .into_iter()
        .find(|&(name, _)| name == unit)
        .ok_or_else(|| format!("{}; units are s, ms, us and ns", wrong()))?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if !all_digits(whole) || !all_digits(fraction) {
        return Err(wrong());
    }
    let fraction = fraction.trim_end_matches('0');
    if fraction.len() > decimals {
        return Err(format!("{text:?} is finer than a femtosecond"));
    }
    let padded = format!("{whole}{fraction}{}", "0".repeat(decimals - fraction.len()));
    let femtos: u128 = padded.parse().map_err(|_| wrong())?;
    if femtos > Femtos::from_nanos(u64::MAX).get() {
        return Err(format!("{text:?} is longer than 584 years"));
    }
    Ok(Femtos::new(femtos))
}

/// Reads a length of time in whole nanoseconds.
///
/// # Errors
/// As for [`parse_femtos`], and if it is not a whole number of nanoseconds.
///
/// ```
/// use punctual_windows::parse_duration;
/// use std::time::Duration;
///
/// assert_eq!(parse_duration("15.6ms"), Ok(Duration::from_nanos(15_600_000)));
/// assert!(parse_duration("0.5ns").unwrap_err().contains("whole nanoseconds"));
/// ```
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let exact = parse_femtos(text)?;
    let cut = Duration::from_nanos(exact.instant().as_nanos());
    if Femtos::from(cut) == exact {
        Ok(cut)
    } else {
        Err(format!("{text:?} is not in whole nanoseconds"))
    }
}

/// Writes a length of time so that it reads back the same, in milliseconds.
pub(super) fn show(length: impl Into<Femtos>) -> String {
    const PER_MILLI: u128 = 1_000_000_000_000;
    let femtos = length.into().get();
    let (whole, rest) = (femtos / PER_MILLI, femtos % PER_MILLI);
    let text = format!("{whole}.{rest:012}");
    format!("{}ms", text.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_every_unit_exactly() {
        for (text, femtos) in [
            ("976562.5ns", 976_562_500_000),
            ("5.333333333us", 5_333_333_333),
            ("5.333333333µs", 5_333_333_333),
            ("0.9765625ms", 976_562_500_000),
            ("2s", 2_000_000_000_000_000),
            ("1.50ms", 1_500_000_000_000),
        ] {
            assert_eq!(parse_femtos(text), Ok(Femtos::new(femtos)), "{text}");
        }
    }

    #[test]
    fn says_what_is_wrong() {
        for (text, complaint) in [
            ("15.6", "units are s, ms, us and ns"),
            ("15.6m", "units are"),
            ("ms", "as in 15.6ms"),
            ("-1ms", "as in 15.6ms"),
            ("1.ms", "units are"),
            (".5ms", "as in 15.6ms"),
            ("1.2.3ms", "as in 15.6ms"),
            ("0.0000001ns", "finer than a femtosecond"),
            ("99999999999999s", "longer than 584 years"),
        ] {
            let error = parse_femtos(text).unwrap_err();
            assert!(error.contains(complaint), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn reads_back_what_it_shows(femtos in 0..u128::from(u64::MAX)) {
            let length = Femtos::new(femtos);
            prop_assert_eq!(parse_femtos(&show(length)), Ok(length));
        }

        #[test]
        fn never_panics(text: String) {
            let _ = parse_duration(&text);
        }
    }
}
