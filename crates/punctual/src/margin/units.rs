//! Conversions whose rounding is wanted, each in one place.

use std::time::Duration;

/// Nanoseconds of a duration; what does not fit (584 years) is the largest number.
pub(super) fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// The whole nanoseconds in a number of nanoseconds; negative is zero, and too many are the largest
/// number.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "`as` saturates, which is what is wanted"
)]
pub(super) fn whole(nanos: f64) -> u64 {
    nanos as u64
}

/// To the precision that a histogram's bins are kept in.
#[expect(
    clippy::cast_possible_truncation,
    reason = "rounding is what is wanted"
)]
pub(super) fn single(number: f64) -> f32 {
    number as f32
}
