//! Where a tick is, to a fraction of a nanosecond.

use super::Schedule;
use crate::{Instant, Period};
use core::time::Duration;

/// An instant, and a fraction of a nanosecond after it in parts of 2^64.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) instant: Instant,
    pub(super) fraction: u64,
}

/// As many parts as a nanosecond has.
const WHOLE: u128 = 1 << 64;

impl Position {
    /// After which nothing comes.
    pub(super) const END: Self = Self {
        instant: Instant::MAX,
        fraction: u64::MAX,
    };

    /// That of a tick; `None` past the end of 64-bit time.
    pub(super) fn of(schedule: &Schedule, index: u64) -> Option<Self> {
        let (whole, parts) = schedule.period.exact_offset(index - schedule.first);
        let denominator = u128::from(schedule.period.denominator());
        // Less than a nanosecond of each, so less than two of both.
        let sum = (u128::from(parts) << 64) / denominator + u128::from(schedule.fraction);
        let nanos = u64::try_from(whole + sum / WHOLE).ok()?;
        Some(Self {
            instant: schedule.start.checked_add(Duration::from_nanos(nanos))?,
            fraction: low(sum),
        })
    }

    /// Where it is if what is left until then, seen from `now`, passes at another rate: `None` past
    /// the end of 64-bit time. What has come stays where it is.
    pub(super) fn approached_at_another_rate(
        self,
        now: Instant,
        old: Period,
        new: Period,
    ) -> Option<Self> {
        if self.instant <= now {
            return Some(self);
        }
        let left = ((self.instant - now).as_nanos() << 64) | u128::from(self.fraction);
        // By as many old periods as are left, each divided by the old and multiplied by the new.
        let left = scaled(
            left,
            u128::from(old.denominator()),
            u128::from(old.nanos_numerator()),
        )?;
        let left = scaled(
            left,
            u128::from(new.nanos_numerator()),
            u128::from(new.denominator()),
        )?;
        let nanos = u64::try_from(left >> 64).ok()?;
        Some(Self {
            instant: now.checked_add(Duration::from_nanos(nanos))?,
            fraction: low(left),
        })
    }
}

/// `value · multiplier / divisor`, cut off; `None` if that does not fit. The factors are below 2^64.
fn scaled(value: u128, multiplier: u128, divisor: u128) -> Option<u128> {
    // In three digits of 64 bits: two products, and the carry of the lower.
    let lower = (value % WHOLE) * multiplier;
    let upper = (value / WHOLE) * multiplier + lower / WHOLE;
    let rest = upper % divisor * WHOLE + lower % WHOLE;
    (upper / divisor)
        .checked_mul(WHOLE)?
        .checked_add(rest / divisor)
}

fn low(value: u128) -> u64 {
    u64::try_from(value % WHOLE).expect("less than 2^64")
}
