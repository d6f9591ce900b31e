//! Quantities in the form that the page uses.

use crate::quantity;
use std::time::Duration;

/// A duration in three digits and a unit.
pub(super) fn nanos(nanos: u64) -> String {
    quantity::show(Duration::from_nanos(nanos))
}

/// A power of ten of nanoseconds, as on axes: `10 µs`.
pub(super) fn decade(exponent: i32) -> String {
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

/// A share of one as a percentage.
pub(super) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    match percent.abs() {
        ..10.0 => format!("{percent:.1} %"),
        _ => format!("{percent:.0} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decades_have_short_names() {
        let named = [0, 1, 3, 5, 8, 9, 12, 19].map(decade);
        let names = [
            "1 ns", "10 ns", "1 µs", "100 µs", "100 ms", "1 s", "1000 s", "1e10 s",
        ];
        assert_eq!(named, names);
    }
}
