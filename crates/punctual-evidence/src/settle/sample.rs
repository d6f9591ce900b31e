//! How much the lengths of recorded waits differ from those of predicted ones.

use std::time::Duration;

/// The lengths of waits, ascending, in nanoseconds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sample(Vec<u64>);

impl Sample {
    /// A sample of these lengths, which may come in any order.
    pub fn of(mut lengths_ns: Vec<u64>) -> Self {
        lengths_ns.sort_unstable();
        Self(lengths_ns)
    }

    /// The lengths, ascending.
    pub fn lengths_ns(&self) -> &[u64] {
        &self.0
    }

    /// The share of waits that are at most this long.
    fn share_up_to(&self, nanos: u64) -> f64 {
        let count = self.0.partition_point(|&length| length <= nanos);
        count as f64 / self.0.len().max(1) as f64
    }

    /// By how much chance alone may move a share of so many waits, once in a thousand recordings: the
    /// bound of Dvoretzky, Kiefer, Wolfowitz and Massart.
    fn chance(&self) -> f64 {
        const ONCE_IN: f64 = 1_000.0;
        ((2.0 * ONCE_IN).ln() / (2.0 * self.0.len().max(1) as f64)).sqrt()
    }
}

// By how much a recording may differ from a prediction that is true. The values are ours: a machine that is
// busy ends waits late, and none early. So a recording may be late in many waits, and by more; it may be
// early in few.

/// A wait that ends so many nanoseconds earlier than predicted is not early.
const EARLY_BY: u64 = 100_000;
/// The share of waits that may be early, besides what chance does.
const EARLY_SHARE: f64 = 0.10;
/// A wait that ends so many nanoseconds later than predicted is not late: what an idle processor takes
/// to begin to run.
const LATE_BY: u64 = 300_000;
/// The share of waits that may be late, by any time, besides what chance does.
const LATE_SHARE: f64 = 0.30;

/// The side on which a recording differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Too many waits are short.
    Early,
    /// Too few are short: too many are long.
    Late,
}

/// The figure by which a recording differs most from a prediction: a share of waits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// On which side.
    pub side: Side,
    /// The share is of waits that are at most this long.
    pub up_to: Duration,
    /// Of the recorded waits.
    pub recorded: f64,
    /// Of the predicted waits, with the tolerance of the length granted.
    pub predicted: f64,
    /// By how much the two may differ, chance included.
    pub tolerance: f64,
}

impl Difference {
    /// By how much more the shares differ than they may; negative if they may differ so.
    pub fn excess(&self) -> f64 {
        (self.recorded - self.predicted).abs() - self.tolerance
    }

    /// Whether a recording with it cannot come from what was predicted.
    pub fn excludes(&self) -> bool {
        self.excess() > 0.0
    }

    /// The one that exceeds its tolerance by most, over all lengths and on both sides; `None` if
    /// there are no waits to compare.
    pub fn between(recorded: &Sample, predicted: &Sample) -> Option<Self> {
        if recorded.0.is_empty() || predicted.0.is_empty() {
            return None;
        }
        let chance = recorded.chance();
        // A share of recorded waits rises only at a recorded length.
        let early = recorded.0.iter().map(|&length| Self {
            side: Side::Early,
            up_to: Duration::from_nanos(length),
            recorded: recorded.share_up_to(length),
            predicted: predicted.share_up_to(length.saturating_add(EARLY_BY)),
            tolerance: EARLY_SHARE + chance,
        });
        let early = early.filter(|found| found.recorded > found.predicted);
        let late = predicted
            .0
            .iter()
            .map(|&length| length.saturating_add(LATE_BY));
        let late = late.map(|length| Self {
            side: Side::Late,
            up_to: Duration::from_nanos(length),
            recorded: recorded.share_up_to(length),
            predicted: predicted.share_up_to(length - LATE_BY),
            tolerance: LATE_SHARE + chance,
        });
        let late = late.filter(|found| found.recorded < found.predicted);
        let most = early.chain(late);
        let same = Self {
            side: Side::Early,
            up_to: Duration::from_nanos(recorded.0[recorded.0.len() - 1]),
            recorded: 1.0,
            predicted: 1.0,
            tolerance: EARLY_SHARE + chance,
        };
        Some(most.fold(same, |most, found| {
            if found.excess() > most.excess() {
                found
            } else {
                most
            }
        }))
    }
}

#[cfg(test)]
mod tests;
