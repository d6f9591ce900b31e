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

    /// The mean in nanoseconds; zero if there is no wait.
    pub fn mean_ns(&self) -> f64 {
        let sum: f64 = self.0.iter().map(|&length| length as f64).sum();
        sum / self.0.len().max(1) as f64
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

/// By how much a recording may differ from a prediction that is true. The values are ours.
///
/// A machine that is busy ends waits late. It ends none early. So a recording may be late in many
/// waits, and by more; it may be early in few.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerance {
    /// A wait that ends so much earlier than predicted is not early.
    pub early_by: Duration,
    /// The share of waits that may be early, besides what chance does.
    pub early_share: f64,
    /// A wait that ends so much later than predicted is not late: what an idle processor takes to
    /// begin to run.
    pub late_by: Duration,
    /// The share of waits that may be late, by any time, besides what chance does.
    pub late_share: f64,
}

/// The tolerance of every judgement.
pub const TOLERANCE: Tolerance = Tolerance {
    early_by: Duration::from_micros(100),
    early_share: 0.10,
    late_by: Duration::from_micros(300),
    late_share: 0.30,
};

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
    pub fn between(recorded: &Sample, predicted: &Sample, tolerance: &Tolerance) -> Option<Self> {
        if recorded.0.is_empty() || predicted.0.is_empty() {
            return None;
        }
        let chance = recorded.chance();
        let nanos = |duration: Duration| u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
        let (early_by, late_by) = (nanos(tolerance.early_by), nanos(tolerance.late_by));
        // A share of recorded waits rises only at a recorded length.
        let early = recorded.0.iter().map(|&length| Self {
            side: Side::Early,
            up_to: Duration::from_nanos(length),
            recorded: recorded.share_up_to(length),
            predicted: predicted.share_up_to(length.saturating_add(early_by)),
            tolerance: tolerance.early_share + chance,
        });
        let early = early.filter(|found| found.recorded > found.predicted);
        let late = predicted
            .0
            .iter()
            .map(|&length| length.saturating_add(late_by));
        let late = late.map(|length| Self {
            side: Side::Late,
            up_to: Duration::from_nanos(length),
            recorded: recorded.share_up_to(length),
            predicted: predicted.share_up_to(length - late_by),
            tolerance: tolerance.late_share + chance,
        });
        let late = late.filter(|found| found.recorded < found.predicted);
        let most = early.chain(late);
        let same = Self {
            side: Side::Early,
            up_to: Duration::from_nanos(recorded.0[recorded.0.len() - 1]),
            recorded: 1.0,
            predicted: 1.0,
            tolerance: tolerance.early_share + chance,
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
