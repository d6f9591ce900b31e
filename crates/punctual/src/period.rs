//! An exact period: a rational number of nanoseconds.

mod decimal;

use crate::instant::saturating_nanos;
use crate::{Error, Instant};
use core::cmp::Ordering;
use core::fmt;
use core::time::Duration;
use decimal::Decimal;

/// The exact time between two ticks, as a fraction of nanoseconds.
///
/// The period of 30000/1001 Hz video is 1001/30000 s. Rounded to 33,366,666 ns it would lose 1.73 ms
/// a day, and rounded to 33 ms it would lose 16 minutes. Deadline *k* is `start + floor(k · period)`
/// in 128-bit arithmetic, so that no error accumulates.
///
/// ```
/// use punctual::{Instant, Period};
///
/// const NTSC: Period = Period::from_hertz_fraction(30_000, 1_001);
/// let a_day_later = 24 * 3600 * 30_000 / 1_001;
/// let deadline = NTSC.deadline(Instant::ZERO, a_day_later).unwrap();
/// assert_eq!(deadline.as_nanos(), 86_399_980_333_333);
/// ```
///
/// # Conversions
///
/// Every function that takes a period also takes what converts into one, such as a [`Duration`]:
///
/// ```
/// use punctual::{Period, Ticker};
/// use std::time::Duration;
///
/// Ticker::new(Duration::from_millis(1));
/// Ticker::new(Period::from_hertz(144));
/// Ticker::new(Period::try_from_hertz_f64(59.94)?);
/// # Ok::<(), punctual::Error>(())
/// ```
///
/// The constructors that panic are `const`, so the compiler checks a period in a constant. For numbers
/// from elsewhere, each has a twin that returns an error, such as
/// [`try_from_hertz`](Self::try_from_hertz).
///
/// A period displays exactly: as a duration if it is a whole number of nanoseconds, and otherwise as
/// a fraction of seconds.
///
/// ```
/// use punctual::Period;
///
/// assert_eq!(Period::from_hertz(1_000).to_string(), "1ms");
/// assert_eq!(Period::from_hertz_fraction(30_000, 1_001).to_string(), "1001/30000 s");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Period {
    /// In lowest terms, with `denominator`; their quotient is at least one nanosecond.
    nanos_numerator: u64,
    denominator: u64,
}

const NANOS_PER_SECOND: u128 = 1_000_000_000;

/// Why a fraction is no period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refusal {
    ZeroFrequency,
    ZeroLength,
    ZeroDenominator,
    TooShort,
    TooFine,
}

impl Refusal {
    const fn message(self) -> &'static str {
        match self {
            Self::ZeroFrequency => "a frequency must be above zero",
            Self::ZeroLength => "a period must be longer than zero",
            Self::ZeroDenominator => "the denominator of a fraction must be above zero",
            Self::TooShort => "a period must be at least one nanosecond (at most 1 GHz)",
            Self::TooFine => "the fraction of this period does not fit 64 bits",
        }
    }

    fn error(self) -> Error {
        Error::invalid_input(self.message())
    }
}

impl Period {
    /// The period of a frequency in whole hertz.
    ///
    /// # Panics
    /// For zero, and above 1 GHz.
    pub const fn from_hertz(hertz: u64) -> Self {
        unwrapped(Self::of_hertz(hertz, 1))
    }

    /// Like [`from_hertz`](Self::from_hertz), but returns an error instead of panicking.
    ///
    /// # Errors
    /// [Invalid input](Error::is_invalid_input) for zero, and above 1 GHz.
    pub fn try_from_hertz(hertz: u64) -> Result<Self, Error> {
        Self::of_hertz(hertz, 1).map_err(Refusal::error)
    }

    /// The period of a frequency of `numerator / denominator` hertz, such as 30000/1001.
    ///
    /// # Panics
    /// If either is zero, above 1 GHz, and if the period does not fit 64 bits (over 584 years).
    pub const fn from_hertz_fraction(numerator: u64, denominator: u64) -> Self {
        unwrapped(Self::of_hertz(numerator, denominator))
    }

    /// Like [`from_hertz_fraction`](Self::from_hertz_fraction), but returns an error instead of
    /// panicking.
    ///
    /// # Errors
    /// [Invalid input](Error::is_invalid_input) in the cases in which that function panics.
    pub fn try_from_hertz_fraction(numerator: u64, denominator: u64) -> Result<Self, Error> {
        Self::of_hertz(numerator, denominator).map_err(Refusal::error)
    }

    /// The period of a frequency in hertz that a monitor or a file states as a decimal, such as 59.94
    /// or 143.981.
    ///
    /// The float is read as the decimal number that it prints as: 59.94 is 5994/100 Hz, which no
    /// float equals. If the fraction does not fit 64 bits, the nearest one that fits is used. It is
    /// off by less than one part in 2^62.
    ///
    /// # Errors
    /// [Invalid input](Error::is_invalid_input) if the number is not positive or above 1 GHz, and for
    /// a period of over 584 years.
    pub fn try_from_hertz_f64(hertz: f64) -> Result<Self, Error> {
        if hertz == 0.0 {
            return Err(Refusal::ZeroFrequency.error());
        }
        let refused = || {
            Error::invalid_input(alloc::format!(
                "a frequency must be a positive number of hertz, at most 1 GHz, not {hertz}"
            ))
        };
        let decimal = Decimal::shortest(hertz).ok_or_else(refused)?;
        let (numerator, denominator) = decimal.fraction().ok_or_else(refused)?;
        let nanos = denominator
            .checked_mul(NANOS_PER_SECOND)
            .ok_or_else(refused)?;
        let (nanos, denominator) =
            decimal::nearest_that_fits(nanos, numerator).ok_or_else(refused)?;
        Self::reduced(nanos, denominator).map_err(Refusal::error)
    }

    /// A period of `numerator / denominator` nanoseconds.
    ///
    /// # Panics
    /// If either is zero, and for less than a nanosecond.
    pub const fn from_nanos_fraction(numerator: u64, denominator: u64) -> Self {
        unwrapped(Self::reduced(numerator as u128, denominator as u128))
    }

    /// Like [`from_nanos_fraction`](Self::from_nanos_fraction), but returns an error instead of
    /// panicking.
    ///
    /// # Errors
    /// [Invalid input](Error::is_invalid_input) if either is zero, and for less than a nanosecond.
    pub fn try_from_nanos_fraction(numerator: u64, denominator: u64) -> Result<Self, Error> {
        Self::reduced(u128::from(numerator), u128::from(denominator)).map_err(Refusal::error)
    }

    /// A period as long as this duration. `Period::try_from` returns the error instead.
    ///
    /// ```
    /// use punctual::Period;
    /// use std::time::Duration;
    ///
    /// const CONTROL: Period = Period::from_duration(Duration::from_micros(250));
    /// assert_eq!(CONTROL, Period::from_hertz(4_000));
    /// ```
    ///
    /// # Panics
    /// For zero, and for more than 584 years.
    pub const fn from_duration(duration: Duration) -> Self {
        unwrapped(Self::reduced(duration.as_nanos(), 1))
    }

    const fn of_hertz(numerator: u64, denominator: u64) -> Result<Self, Refusal> {
        if numerator == 0 {
            return Err(Refusal::ZeroFrequency);
        }
        if denominator == 0 {
            return Err(Refusal::ZeroDenominator);
        }
        Self::reduced(denominator as u128 * NANOS_PER_SECOND, numerator as u128)
    }

    const fn reduced(nanos_numerator: u128, denominator: u128) -> Result<Self, Refusal> {
        if nanos_numerator == 0 {
            return Err(Refusal::ZeroLength);
        }
        if denominator == 0 {
            return Err(Refusal::ZeroDenominator);
        }
        if nanos_numerator < denominator {
            return Err(Refusal::TooShort);
        }
        let divisor = greatest_common_divisor(nanos_numerator, denominator);
        let (nanos_numerator, denominator) = (nanos_numerator / divisor, denominator / divisor);
        if nanos_numerator > u64::MAX as u128 || denominator > u64::MAX as u128 {
            return Err(Refusal::TooFine);
        }
        #[allow(clippy::cast_possible_truncation, reason = "looked at above")]
        Ok(Self {
            nanos_numerator: nanos_numerator as u64,
            denominator: denominator as u64,
        })
    }

    /// The length of the period, rounded down to whole nanoseconds. Use it for display or to choose
    /// sizes, never to compute deadlines: the rounding would accumulate.
    pub const fn to_duration(self) -> Duration {
        Duration::from_nanos(self.nanos_numerator / self.denominator)
    }

    /// The exact period: numerator and denominator of a fraction of nanoseconds in lowest terms, as
    /// [`from_nanos_fraction`](Self::from_nanos_fraction) takes them.
    ///
    /// ```
    /// use punctual::Period;
    ///
    /// let film = Period::from_hertz_fraction(24_000, 1_001);
    /// assert_eq!(film.to_nanos_fraction(), (125_125_000, 3));
    /// ```
    pub const fn to_nanos_fraction(self) -> (u64, u64) {
        (self.nanos_numerator, self.denominator)
    }

    /// The frequency in hertz, for display.
    #[allow(clippy::cast_precision_loss, reason = "as near as floats are")]
    pub fn as_hertz_f64(self) -> f64 {
        self.denominator as f64 * NANOS_PER_SECOND as f64 / self.nanos_numerator as f64
    }

    /// The time from the start to deadline `index`: `floor(index · period)`. `None` past the end of
    /// 64-bit time.
    pub fn offset(self, index: u64) -> Option<Duration> {
        let (nanos, _) = self.exact_offset(index);
        u64::try_from(nanos).ok().map(Duration::from_nanos)
    }

    /// Deadline `index` of a schedule that starts at `start`. Deadline 0 is the start. `None` past the
    /// end of 64-bit time.
    pub fn deadline(self, start: Instant, index: u64) -> Option<Instant> {
        start.checked_add(self.offset(index)?)
    }

    /// The index of the last deadline within this much time from the start.
    pub fn index_after(self, elapsed: Duration) -> u64 {
        // floor(k·n/d) <= e  is  k·n < (e + 1)·d  is  k <= ((e + 1)·d - 1) / n.
        let bound = (u128::from(saturating_nanos(elapsed)) + 1) * u128::from(self.denominator);
        let index = (bound - 1) / u128::from(self.nanos_numerator);
        // The period is at least a nanosecond, so the index is at most the elapsed nanoseconds.
        u64::try_from(index).unwrap_or(u64::MAX)
    }

    /// `index · period`: whole nanoseconds, and what remains in parts of one, of which there are
    /// [`denominator`](Self::denominator).
    pub(crate) fn exact_offset(self, index: u64) -> (u128, u64) {
        let exact = u128::from(index) * u128::from(self.nanos_numerator);
        let denominator = u128::from(self.denominator);
        let remainder = u64::try_from(exact % denominator).expect("less than the denominator");
        (exact / denominator, remainder)
    }

    /// Whether it is a whole number of such durations. Of zero, none is.
    #[cfg(feature = "std")]
    pub(crate) fn is_multiple_of(self, duration: Duration) -> bool {
        let divisor = duration.as_nanos().checked_mul(self.denominator.into());
        divisor
            .is_some_and(|divisor| divisor > 0 && u128::from(self.nanos_numerator) % divisor == 0)
    }

    /// The longest duration of which both are whole numbers. Zero if the period is not a whole number of nanoseconds.
    #[cfg(feature = "std")]
    pub(crate) fn common_measure(self, duration: Duration) -> Duration {
        if self.denominator > 1 {
            return Duration::ZERO;
        }
        let common = greatest_common_divisor(self.nanos_numerator.into(), duration.as_nanos());
        Duration::from_nanos(u64::try_from(common).unwrap_or(u64::MAX))
    }

    pub(crate) fn nanos_numerator(self) -> u64 {
        self.nanos_numerator
    }

    pub(crate) fn denominator(self) -> u64 {
        self.denominator
    }
}

/// What a constructor that panics returns.
const fn unwrapped(period: Result<Period, Refusal>) -> Period {
    match period {
        Ok(period) => period,
        Err(refusal) => panic!("{}", refusal.message()),
    }
}

const fn greatest_common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl TryFrom<Duration> for Period {
    type Error = Error;

    /// # Errors
    /// [Invalid input](Error::is_invalid_input) for zero and for more than 584 years.
    fn try_from(duration: Duration) -> Result<Self, Error> {
        Self::reduced(duration.as_nanos(), 1).map_err(Refusal::error)
    }
}

impl From<Period> for Duration {
    /// Same as [`Period::to_duration`]: rounded down to whole nanoseconds.
    fn from(period: Period) -> Self {
        period.to_duration()
    }
}

impl Ord for Period {
    /// A shorter period is less than a longer one.
    fn cmp(&self, other: &Self) -> Ordering {
        let product =
            |a: &Self, b: &Self| u128::from(a.nanos_numerator) * u128::from(b.denominator);
        product(self, other).cmp(&product(other, self))
    }
}

impl PartialOrd for Period {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.denominator == 1 {
            return write!(f, "{:?}", self.to_duration());
        }
        let (numerator, denominator) = (
            u128::from(self.nanos_numerator),
            u128::from(self.denominator) * NANOS_PER_SECOND,
        );
        let divisor = greatest_common_divisor(numerator, denominator);
        write!(f, "{}/{} s", numerator / divisor, denominator / divisor)
    }
}

/// Converts the argument of a function that panics if the period is invalid.
#[track_caller]
pub(crate) fn period_of<P: TryInto<Period>>(period: P) -> Period
where
    Error: From<P::Error>,
{
    try_period_of(period).unwrap_or_else(|error| panic!("{error}"))
}

/// Converts the argument of a function that returns an error if the period is invalid.
pub(crate) fn try_period_of<P: TryInto<Period>>(period: P) -> Result<Period, Error>
where
    Error: From<P::Error>,
{
    period.try_into().map_err(Error::from)
}

#[cfg(test)]
mod tests;
