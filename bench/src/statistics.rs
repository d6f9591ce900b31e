//! What several turns say together.

use serde::Serialize;
use std::time::Duration;

/// A duration in nanoseconds, or as many as fit.
pub fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// What came of one number of repetitions: rates, or ratios of them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spread {
    pub median: f64,
    pub low: f64,
    pub high: f64,
}

impl Spread {
    /// Middle and extremes: too few repetitions for anything finer. `None`: there were none.
    pub fn of(mut values: Vec<f64>) -> Option<Self> {
        values.sort_by(f64::total_cmp);
        let (low, high) = (*values.first()?, *values.last()?);
        let half = values.len() / 2;
        let median = if values.len() % 2 == 1 {
            values[half]
        } else {
            f64::midpoint(values[half - 1], values[half])
        };
        Some(Self { median, low, high })
    }

    /// Of ours over theirs, repetition by repetition: whatever slows the machine down for a while
    /// slows down both of a pair.
    pub fn of_ratios(ours: &[f64], theirs: &[f64]) -> Option<Self> {
        Self::of(ours.iter().zip(theirs).map(|(a, b)| a / b).collect())
    }
}

pub fn per_second(events: u64, took: Duration) -> f64 {
    events as f64 / took.as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(median: f64, low: f64, high: f64) -> Option<Spread> {
        Some(Spread { median, low, high })
    }

    #[test]
    fn middle_and_extremes() {
        assert_eq!(Spread::of(vec![]), None);
        assert_eq!(Spread::of(vec![3.0, 1.0, 2.0]), spread(2.0, 1.0, 3.0));
        assert_eq!(Spread::of(vec![4.0, 1.0, 3.0, 2.0]), spread(2.5, 1.0, 4.0));
    }

    #[test]
    fn ratios_are_of_the_same_repetition() {
        let ratios = Spread::of_ratios(&[10.0, 2.0], &[5.0, 1.0]);
        assert_eq!(ratios, spread(2.0, 2.0, 2.0));
    }

    #[test]
    fn events_over_seconds() {
        assert_eq!(per_second(10, Duration::from_millis(500)), 20.0);
    }
}
