//! An exact period: a rational number of nanoseconds.

use crate::instant::saturating_nanos;
use crate::{Error, Instant};
use core::time::Duration;

/// The time between two ticks, exactly.
///
/// The period of 30000/1001 Hz video is 1001/30000 s: neither 33,366,666 ns, which loses 1.73 ms a
/// day, nor 33 ms, which loses 16 minutes. It is kept as a fraction, and deadline *k* is
/// `start + floor(k · period)` in 128-bit arithmetic, so that nothing ever accumulates.
///
/// ```
/// use punctual::{Instant, Period};
///
/// let ntsc = Period::from_hertz_fraction(30_000, 1_001)?;
/// let a_day_later = 24 * 3600 * 30_000 / 1_001;
/// let deadline = ntsc.deadline(Instant::ZERO, a_day_later).unwrap();
/// assert_eq!(deadline.as_nanos(), 86_399_980_333_333);
/// # Ok::<(), punctual::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Period {
    /// In lowest terms, with `denominator`; their quotient is at least one nanosecond.
    nanos_numerator: u64,
    denominator: u64,
}

const NANOS_PER_SECOND: u128 = 1_000_000_000;

impl Period {
    /// The period of a frequency in whole hertz.
    ///
    /// # Errors
    /// [Invalid input](Error::is_invalid_input) for zero, and above 1 GHz.
    pub fn from_hertz(hertz: u64) -> Result<Self, Error> {
        Self::from_hertz_fraction(hertz, 1)
    }

    /// The period of a frequency of `numerator / denominator` hertz, such as 30000/1001.
    ///
    /// # Errors
    /// [Invalid input](Error::is_invalid_input) if either is zero, above 1 GHz, and for a period
    /// whose fraction does not fit (over 584 years).
    pub fn from_hertz_fraction(numerator: u64, denominator: u64) -> Result<Self, Error> {
        Self::reduced(
            u128::from(denominator) * NANOS_PER_SECOND,
            u128::from(numerator),
        )
    }

    /// A period of `numerator / denominator` nanoseconds.
    ///
    /// # Errors
    /// [Invalid input](Error::is_invalid_input) if either is zero, and for less than a nanosecond.
    pub fn from_nanos_fraction(numerator: u64, denominator: u64) -> Result<Self, Error> {
        Self::reduced(u128::from(numerator), u128::from(denominator))
    }

    fn reduced(nanos_numerator: u128, denominator: u128) -> Result<Self, Error> {
        if nanos_numerator == 0 || denominator == 0 {
            return Err(Error::invalid_input(
                "a period is longer than zero and its frequency finite",
            ));
        }
        if nanos_numerator < denominator {
            return Err(Error::invalid_input(
                "a period is at least one nanosecond (at most 1 GHz)",
            ));
        }
        let divisor = greatest_common_divisor(nanos_numerator, denominator);
        let fits = |part: u128| {
            u64::try_from(part / divisor).map_err(|_| {
                Error::invalid_input("the fraction of this period does not fit 64 bits")
            })
        };
        Ok(Self {
            nanos_numerator: fits(nanos_numerator)?,
            denominator: fits(denominator)?,
        })
    }

    /// The period's length, its last fraction of a nanosecond cut off: for display and for choosing
    /// sizes. Nothing that is repeated may be computed from it.
    pub fn truncated(self) -> Duration {
        Duration::from_nanos(self.nanos_numerator / self.denominator)
    }

    /// How long after the start deadline `index` is: `floor(index · period)`. `None` past the end
    /// of 64-bit time.
    pub fn offset(self, index: u64) -> Option<Duration> {
        let exact = u128::from(index) * u128::from(self.nanos_numerator);
        let nanos = u64::try_from(exact / u128::from(self.denominator)).ok()?;
        Some(Duration::from_nanos(nanos))
    }

    /// Deadline `index` of a schedule that starts at `start`, whose deadline 0 is its start. `None`
    /// past the end of 64-bit time.
    pub fn deadline(self, start: Instant, index: u64) -> Option<Instant> {
        start.checked_add(self.offset(index)?)
    }

    /// The index of the last deadline that has come when this much time has passed since the start.
    pub fn index_after(self, elapsed: Duration) -> u64 {
        // floor(k·n/d) <= e  is  k·n < (e + 1)·d  is  k <= ((e + 1)·d - 1) / n.
        let bound = (u128::from(saturating_nanos(elapsed)) + 1) * u128::from(self.denominator);
        let index = (bound - 1) / u128::from(self.nanos_numerator);
        // The period is at least a nanosecond, so the index is at most the elapsed nanoseconds.
        u64::try_from(index).unwrap_or(u64::MAX)
    }
}

impl TryFrom<Duration> for Period {
    type Error = Error;

    /// # Errors
    /// [Invalid input](Error::is_invalid_input) for zero and for more than 584 years.
    fn try_from(duration: Duration) -> Result<Self, Error> {
        Self::reduced(duration.as_nanos(), 1)
    }
}

fn greatest_common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The last index whose offset is at most `elapsed`, found by looking.
    fn index_by_search(period: Period, elapsed: Duration) -> u64 {
        let (mut low, mut high) = (0, u64::MAX);
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            match period.offset(middle) {
                Some(offset) if offset <= elapsed => low = middle,
                _ => high = middle - 1,
            }
        }
        low
    }

    fn periods() -> impl Strategy<Value = Period> {
        (1..u64::MAX, 1..u64::MAX)
            .prop_map(|(a, b)| Period::from_nanos_fraction(a.max(b), a.min(b)).unwrap())
    }

    #[test]
    fn the_same_period_said_in_different_ways_is_equal() {
        let millisecond = Period::try_from(Duration::from_millis(1)).unwrap();
        assert_eq!(Period::from_hertz(1_000).unwrap(), millisecond);
        assert_eq!(Period::from_hertz_fraction(3_000, 3).unwrap(), millisecond);
        assert_eq!(
            Period::from_nanos_fraction(1_000_000, 1).unwrap(),
            millisecond
        );
    }

    #[test]
    fn refuses_what_is_no_period() {
        for refused in [
            Period::from_hertz(0),
            Period::from_hertz_fraction(1, 0),
            Period::from_hertz(1_000_000_001),
            Period::from_hertz_fraction(1, u64::MAX),
            Period::from_nanos_fraction(0, 1),
            Period::try_from(Duration::ZERO),
            Period::try_from(Duration::MAX),
        ] {
            assert!(refused.unwrap_err().is_invalid_input());
        }
    }

    #[test]
    fn five_hundred_thousand_million_video_frames_are_exactly_where_the_fraction_says() {
        let period = Period::from_hertz_fraction(30_000, 1_001).unwrap();
        let frames = 500_000_000_000;
        // 5·10^11 · 1001 / 30000 s = 16,683,333,333 s and a third.
        let expected = Duration::new(16_683_333_333, 333_333_333);
        assert_eq!(period.offset(frames), Some(expected));
        assert_eq!(period.index_after(expected), frames);
        assert_eq!(
            period.index_after(expected - Duration::from_nanos(1)),
            frames - 1
        );
        assert_eq!(period.deadline(Instant::MAX, frames), None);
        assert_eq!(period.offset(u64::MAX), None);
    }

    proptest! {
        #[test]
        fn offsets_never_accumulate_an_error(period in periods(), index: u64) {
            let exact_floor = num_floor(index, period.nanos_numerator, period.denominator);
            match period.offset(index) {
                Some(offset) => prop_assert_eq!(offset.as_nanos(), exact_floor),
                None => prop_assert!(exact_floor > u128::from(u64::MAX)),
            }
        }

        #[test]
        fn index_agrees_with_a_search(period in periods(), nanos: u64) {
            let elapsed = Duration::from_nanos(nanos);
            prop_assert_eq!(period.index_after(elapsed), index_by_search(period, elapsed));
        }
    }

    /// `floor(index · numerator / denominator)` by long division in 64-bit halves: a second way to
    /// the same number.
    fn num_floor(index: u64, numerator: u64, denominator: u64) -> u128 {
        let (whole, rest) = (numerator / denominator, numerator % denominator);
        let mut fraction = 0_u128;
        let mut remainder = 0_u128;
        for bit in (0..64).rev() {
            fraction *= 2;
            remainder *= 2;
            if index >> bit & 1 == 1 {
                remainder += u128::from(rest);
            }
            fraction += remainder / u128::from(denominator);
            remainder %= u128::from(denominator);
        }
        u128::from(index) * u128::from(whole) + fraction
    }
}
