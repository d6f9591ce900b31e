//! Conversions whose rounding is wanted, each in one place.

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

/// The same for numbers that may be negative.
#[expect(
    clippy::cast_possible_truncation,
    reason = "`as` saturates, which is what is wanted"
)]
pub(super) fn nearest(nanos: f64) -> i64 {
    nanos as i64
}

/// A number of nanoseconds that is never below zero.
pub(super) fn signed(nanos: u64) -> i64 {
    i64::try_from(nanos).unwrap_or(i64::MAX)
}

/// To the precision that a histogram's bins are kept in.
#[expect(
    clippy::cast_possible_truncation,
    reason = "rounding is what is wanted"
)]
pub(super) fn single(number: f64) -> f32 {
    number as f32
}
