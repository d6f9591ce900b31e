//! Floats as the decimal numbers that they are shown as, and fractions that fit 64 bits.

use alloc::format;

/// `digits · 10^exponent`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Decimal {
    digits: u64,
    exponent: i32,
}

impl Decimal {
    /// The decimal of the fewest digits that is nearer to this float than to any other; `None` for
    /// what is no positive number.
    pub(super) fn shortest(float: f64) -> Option<Self> {
        if !float.is_finite() || float <= 0.0 {
            return None;
        }
        // Rust shows a float by the fewest digits that name it: at most seventeen.
        let shown = format!("{float:e}");
        let (mantissa, exponent) = shown.split_once('e')?;
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let exponent: i32 = exponent.parse().ok()?;
        Some(Self {
            digits: format!("{whole}{fraction}").parse().ok()?,
            exponent: exponent - i32::try_from(fraction.len()).ok()?,
        })
    }

    /// As numerator and denominator; `None` if they do not fit 128 bits.
    pub(super) fn fraction(self) -> Option<(u128, u128)> {
        let digits = u128::from(self.digits);
        let power = 10_u128.checked_pow(self.exponent.unsigned_abs())?;
        if self.exponent < 0 {
            Some((digits, power))
        } else {
            Some((digits.checked_mul(power)?, 1))
        }
    }
}

/// The fraction itself in lowest terms if both parts fit 64 bits, else the last that does of those
/// that its continued fraction comes to: it is off by less than one part in `2^62`. `None` if the
/// quotient itself is too large, or rounds to zero.
///
/// Each of these is nearer than any fraction with a smaller denominator (Khinchin, *Continued
/// Fractions*, theorem 17).
pub(super) fn nearest_that_fits(numerator: u128, denominator: u128) -> Option<(u128, u128)> {
    const MOST: u128 = u64::MAX as u128;
    let (mut rest, mut divisor) = (numerator, denominator);
    let (mut before, mut last) = ((0_u128, 1_u128), (1_u128, 0_u128));
    while divisor != 0 {
        let whole = rest / divisor;
        let step = |last: u128, before: u128| whole.checked_mul(last)?.checked_add(before);
        let next = step(last.0, before.0).zip(step(last.1, before.1));
        let Some(next) = next.filter(|&(top, bottom)| top <= MOST && bottom <= MOST) else {
            break;
        };
        (before, last) = (last, next);
        (rest, divisor) = (divisor, rest % divisor);
    }
    (last.0 != 0 && last.1 != 0).then_some(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_float_is_the_decimal_it_is_shown_as() {
        let of = |float| Decimal::shortest(float).and_then(Decimal::fraction);
        assert_eq!(of(59.94), Some((5994, 100)));
        assert_eq!(of(1e9), Some((1_000_000_000, 1)));
        assert_eq!(of(0.1), Some((1, 10)));
        for refused in [
            0.0,
            -1.0,
            f64::NAN,
            f64::INFINITY,
            f64::MAX,
            f64::MIN_POSITIVE,
        ] {
            assert_eq!(of(refused), None, "{refused}");
        }
    }

    proptest! {
        #[test]
        fn what_fits_is_itself_and_what_does_not_is_near(
            numerator in 1_u128..1 << 100,
            denominator in 1_u128..1 << 90,
        ) {
            let Some((top, bottom)) = nearest_that_fits(numerator, denominator) else {
                prop_assert!(numerator / denominator >= 1 << 63 || numerator < denominator);
                return Ok(());
            };
            prop_assert!(top < 1 << 64 && bottom < 1 << 64);
            let (exact, near) = (numerator as f64 / denominator as f64, top as f64 / bottom as f64);
            // Floats show no more than this, and a quotient below one has fewer digits to give.
            if exact >= 1.0 {
                prop_assert!((exact / near - 1.0).abs() < 1e-15, "{exact} {near}");
            }
        }
    }
}
