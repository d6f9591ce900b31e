//! The error of a clock's rate.

use alloc::format;
use alloc::string::String;
use core::fmt;

/// Crystals err by 20 to 100 ppm, and a counter whose frequency was measured at boot by a few
/// hundred; Linux corrects a clock by at most 500 (`adjtimex`). This is twice that.
const MOST_PPM: i32 = 1_000;

const PARTS_PER_BILLION: u128 = 1_000_000_000;

/// By how much a clock runs fast (or slow, if negative), in parts per billion.
///
/// ```
/// use punctual_windows::MachineParameters;
///
/// let machine: MachineParameters = "clock-error=-12.5ppm".parse()?;
/// // A second later the counter has counted 12.5 microseconds less.
/// assert_eq!(machine.clock_error.reading_after(1_000_000_000), 999_987_500);
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ClockError {
    parts_per_billion: i32,
}

impl ClockError {
    /// The nanoseconds that such a clock counts in so many true ones.
    pub fn reading_after(self, nanos: u64) -> u64 {
        // Most clocks are right, and are read more often than anything else is done.
        if self.parts_per_billion == 0 {
            return nanos;
        }
        let rate = PARTS_PER_BILLION.saturating_add_signed(self.parts_per_billion.into());
        let reading = u128::from(nanos) * rate / PARTS_PER_BILLION;
        u64::try_from(reading).unwrap_or(u64::MAX)
    }

    /// Reads parts per million, such as `20ppm` or `-12.5ppm`.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "{text:?} is no error of a clock's rate: write parts per million from -{MOST_PPM} \
                 to {MOST_PPM} with at most three decimals, as in 20ppm or -12.5ppm"
            )
        };
        let number = text.strip_suffix("ppm").ok_or_else(wrong)?.trim_end();
        let (is_negative, magnitude) = match number.strip_prefix('-') {
            Some(magnitude) => (true, magnitude),
            None => (false, number.strip_prefix('+').unwrap_or(number)),
        };
        let magnitude = thousandths(magnitude).ok_or_else(wrong)?;
        if magnitude > MOST_PPM * 1_000 {
            return Err(wrong());
        }
        let parts_per_billion = if is_negative { -magnitude } else { magnitude };
        Ok(Self { parts_per_billion })
    }
}

/// A decimal number in thousandths.
fn thousandths(text: &str) -> Option<i32> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if !all_digits(whole) || !all_digits(fraction) || fraction.len() > 3 {
        return None;
    }
    format!("{whole}{fraction:0<3}").parse().ok()
}

impl fmt::Display for ClockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.parts_per_billion < 0 { "-" } else { "" };
        let magnitude = self.parts_per_billion.unsigned_abs();
        let text = format!("{sign}{}.{:03}", magnitude / 1_000, magnitude % 1_000);
        let text = text.trim_end_matches('0').trim_end_matches('.');
        write!(f, "{text}ppm")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn says_what_would_be_right() {
        for wrong in [
            "20",
            "ppm",
            "20 percent",
            "1001ppm",
            "-1000.001ppm",
            "0.0001ppm",
            "--1ppm",
            "1.ppm",
            "99999999999ppm",
        ] {
            let error = ClockError::parse(wrong).unwrap_err();
            assert!(error.contains("20ppm or -12.5ppm"), "{error}");
        }
    }

    proptest! {
        #[test]
        fn reads_back_what_it_shows(parts_per_billion in -1_000_000_i32..=1_000_000) {
            let error = ClockError { parts_per_billion };
            prop_assert_eq!(ClockError::parse(&error.to_string()), Ok(error));
        }

        #[test]
        fn a_clock_never_goes_back(
            parts_per_billion in -1_000_000_i32..=1_000_000,
            nanos in 0..u64::MAX - 1_000_000,
            step in 0_u64..1_000_000,
        ) {
            let error = ClockError { parts_per_billion };
            prop_assert!(error.reading_after(nanos) <= error.reading_after(nanos + step));
        }
    }
}
