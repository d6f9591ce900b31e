//! Time in whole femtoseconds, in which the spacing of timer interrupts is a whole number.

use core::ops::{Add, Sub};
use core::time::Duration;
use punctual::Instant;

/// A point in time, or a length of it, in whole femtoseconds.
///
/// Ticks do not come at whole nanoseconds: Windows XP's raised interval is 976,562.5 ns, and a
/// hardware quantum such as 5.3333 µs multiplies into anything. In femtoseconds every published
/// spacing is a whole number, so that tick *k* is one multiplication away from the first and
/// nothing accumulates. 128 bits hold all of [`Instant`] a hundred trillion times over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Femtos(u128);

const PER_NANO: u128 = 1_000_000;

impl Femtos {
    /// No time at all.
    pub const ZERO: Self = Self(0);
    /// The shortest time there is.
    pub const ONE: Self = Self(1);

    /// A length in whole femtoseconds.
    #[inline(always)]
    pub const fn new(femtos: u128) -> Self {
        Self(femtos)
    }

    /// A length in whole nanoseconds.
    #[inline(always)]
    pub const fn from_nanos(nanos: u64) -> Self {
        Self(nanos as u128 * PER_NANO)
    }

    /// The number of femtoseconds.
    #[inline(always)]
    pub const fn get(self) -> u128 {
        self.0
    }

    /// The point in time, cut to whole nanoseconds.
    ///
    /// Cutting never moves a tick across an instant: for a whole number of nanoseconds `n`, the cut
    /// tick is at or after `n` exactly if the tick is.
    #[inline(always)]
    pub fn instant(self) -> Instant {
        let nanos = divide(self.0, PER_NANO);
        Instant::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
    }

    /// The last point in time that [`instant`](Self::instant) cuts to this one.
    #[inline(always)]
    pub(super) fn end_of(instant: Instant) -> Self {
        Self::from(instant) + Self(PER_NANO - 1)
    }

    /// What is left when `other` is taken away, or nothing.
    #[inline(always)]
    pub fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// This many times as long.
    #[inline(always)]
    pub const fn times(self, factor: u128) -> Self {
        Self(self.0 * factor)
    }

    /// How often `step` fits, its last part not counted.
    ///
    /// # Panics
    /// If `step` is zero.
    #[inline(always)]
    pub const fn whole(self, step: Self) -> u128 {
        divide(self.0, step.0)
    }

    /// How many of `step` are needed to cover it.
    ///
    /// # Panics
    /// If `step` is zero.
    #[inline(always)]
    pub const fn covering(self, step: Self) -> u128 {
        match self.0.checked_sub(1) {
            Some(less) => divide(less, step.0) + 1,
            None => divide(0, step.0),
        }
    }
}

/// Every wait divides several times, and a division in 128 bits takes longer than all else that is
/// computed about a tick. Spacings of ticks are multiples of high powers of two: without those, the
/// femtoseconds of some days fit into 64 bits.
#[inline(always)]
const fn divide(dividend: u128, divisor: u128) -> u128 {
    let twos = divisor.trailing_zeros();
    if twos == u128::BITS {
        panic!("no step is zero");
    }
    let (dividend, divisor) = (dividend >> twos, divisor >> twos);
    if dividend >> 64 == 0 && divisor >> 64 == 0 {
        #[expect(clippy::cast_possible_truncation, reason = "just looked at")]
        let quotient = dividend as u64 / divisor as u64;
        quotient as u128
    } else {
        dividend / divisor
    }
}

impl From<Instant> for Femtos {
    #[inline(always)]
    fn from(instant: Instant) -> Self {
        Self::from_nanos(instant.as_nanos())
    }
}

impl From<Duration> for Femtos {
    #[inline(always)]
    fn from(duration: Duration) -> Self {
        Self(duration.as_nanos() * PER_NANO)
    }
}

impl Add for Femtos {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Femtos {
    type Output = Self;

    /// # Panics
    /// If `other` is longer.
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn cutting_never_crosses_an_instant(femtos in 0..u128::from(u64::MAX) * PER_NANO, at: u64) {
            let (exact, at) = (Femtos::new(femtos), Instant::from_nanos(at));
            prop_assert_eq!(exact.instant() >= at, exact >= Femtos::from(at));
            prop_assert_eq!(exact.instant() <= at, exact <= Femtos::end_of(at));
        }

        #[test]
        fn the_short_division_is_division(dividend: u128, shift in 0u32..128, divisor: u64, twos in 0u32..64) {
            let (dividend, divisor) = (dividend >> shift, u128::from(divisor.max(1)) << twos);
            prop_assert_eq!(divide(dividend, divisor), dividend / divisor);
        }

        #[test]
        fn whole_and_covering_enclose(femtos: u64, step in 1u64..) {
            let (length, step) = (Femtos::new(femtos.into()), Femtos::new(step.into()));
            prop_assert!(step.times(length.whole(step)) <= length);
            prop_assert!(step.times(length.covering(step)) >= length);
            prop_assert!(length.covering(step) - length.whole(step) <= 1);
        }
    }
}
