//! Scales: where a value is drawn. Durations are drawn in decades.

use std::ops::RangeInclusive;

/// Maps values to coordinates.
#[derive(Debug, Clone, Copy)]
pub struct Scale {
    /// The ends of the values.
    pub values: (f64, f64),
    /// Where they are drawn.
    pub places: (f64, f64),
}

impl Scale {
    /// A logarithmic scale of [durations](log).
    pub fn of_decades(decades: &RangeInclusive<i32>, places: (f64, f64)) -> Self {
        let values = (f64::from(*decades.start()), f64::from(*decades.end()));
        Self { values, places }
    }

    /// The coordinate of a value; a value beyond the scale is at its end.
    pub fn place(&self, value: f64) -> f64 {
        let (from, to) = self.values;
        let share = ((value - from) / (to - from)).clamp(0.0, 1.0);
        self.places.0 + (self.places.1 - self.places.0) * share
    }
}

/// The decades that contain these durations, at least one.
pub fn decades(nanos: impl Iterator<Item = u64>) -> RangeInclusive<i32> {
    let (mut least, mut most) = (u64::MAX, 0);
    for nanos in nanos {
        (least, most) = (least.min(nanos), most.max(nanos));
    }
    let exponent = |nanos: u64| nanos.max(1).ilog10().cast_signed();
    let from = exponent(least.min(most));
    let is_power = most == 10_u64.saturating_pow(exponent(most).unsigned_abs());
    let to = exponent(most) + i32::from(!is_power);
    from..=to.max(from + 1)
}

/// A duration on a logarithmic scale. The shortest is a nanosecond.
pub fn log(nanos: u64) -> f64 {
    (nanos.max(1) as f64).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decades_hold_what_they_are_of() {
        let of = |nanos: &[u64]| decades(nanos.iter().copied());
        assert_eq!(of(&[]), 0..=1);
        assert_eq!(of(&[0]), 0..=1);
        assert_eq!(of(&[45, 73_512]), 1..=5);
        assert_eq!(of(&[1_000]), 3..=4);
        assert_eq!(of(&[10, 1_000]), 1..=3);
        assert_eq!(of(&[0, u64::MAX]), 0..=20);
    }
}
