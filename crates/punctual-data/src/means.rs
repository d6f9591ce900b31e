//! Compares two means, each of windows of consecutive values.

use fastrand::Rng;

/// The share of intervals that contain the true ratio, if batches are independent. It is higher
/// than the usual 95 %, because a comparison makes dozens of intervals.
pub const CONFIDENCE: f64 = 0.99;

/// A smaller change is not called one, even if it is certain. A tenth of it is lost where values
/// are rounded to three digits, and simulated machines repeat themselves to the nanosecond.
pub const LEAST_CHANGE: f64 = 0.01;

/// The fewest batches that show a variation.
pub const FEWEST_BATCHES: usize = 10;

/// How often to resample: ten results lie beyond each end of a 99 % interval.
pub const REPLICATES: usize = 2_000;

/// Any constant does: the same two sides must always give the same answer.
pub const SEED: u64 = 0x7075_6e63_7475_616c;

/// Whether a statistic changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It became smaller. That is better: every statistic is a cost.
    Lower,
    /// It became larger.
    Higher,
    /// It changed by less than [`LEAST_CHANGE`], or by no more than the recordings' own variation.
    NoChange,
    /// The recordings do not show it.
    Unjudged,
}

impl Verdict {
    /// In a word or two.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lower => "lower",
            Self::Higher => "higher",
            Self::NoChange => "no change",
            Self::Unjudged => "not judged",
        }
    }
}

/// Consecutive values of a series: their sum, and how many they are.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Window {
    /// The sum.
    pub sum: f64,
    /// The number of values.
    pub count: f64,
}

/// The mean of a series against the mean of another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Means {
    /// The mean of the baseline.
    pub baseline: f64,
    /// The mean of the other.
    pub other: f64,
    /// The interval that contains the true difference, the other's mean less the baseline's, at
    /// [`CONFIDENCE`]. `None` if a series has too few windows to show its own variation.
    pub interval: Option<(f64, f64)>,
}

impl Means {
    /// Compares two series by resampling their windows with replacement.
    ///
    /// ```
    /// use punctual_data::means::{Means, Verdict, Window};
    ///
    /// let series = |mean: f64| -> Vec<Window> {
    ///     let values = (0..20).map(|at| mean + f64::from(at % 3));
    ///     values.map(|sum| Window { sum, count: 1.0 }).collect()
    /// };
    /// let means = Means::of(&series(10.0), &series(20.0));
    /// assert_eq!(means.verdict(means.baseline), Verdict::Higher);
    /// ```
    pub fn of(baseline: &[Window], other: &[Window]) -> Self {
        let are_enough = baseline.len().min(other.len()) >= FEWEST_BATCHES;
        Self {
            baseline: mean(baseline.iter()),
            other: mean(other.iter()),
            interval: are_enough.then(|| interval(baseline, other)),
        }
    }

    /// The other's mean less the baseline's.
    pub fn change(&self) -> f64 {
        self.other - self.baseline
    }

    /// Whether the mean changed by at least [`LEAST_CHANGE`] of `whole`, and by more than the series' own
    /// variation.
    pub fn verdict(&self, whole: f64) -> Verdict {
        let least = whole * LEAST_CHANGE;
        match self.interval {
            None if self.change() == 0.0 => Verdict::NoChange,
            None => Verdict::Unjudged,
            Some((_, high)) if high < -least => Verdict::Lower,
            Some((low, _)) if low > least => Verdict::Higher,
            Some(_) => Verdict::NoChange,
        }
    }
}

fn mean<'a>(windows: impl Iterator<Item = &'a Window>) -> f64 {
    let (sum, count) = windows.fold((0.0, 0.0), |(sum, count), window| {
        (sum + window.sum, count + window.count)
    });
    if count > 0.0 { sum / count } else { 0.0 }
}

fn interval(baseline: &[Window], other: &[Window]) -> (f64, f64) {
    let mut random = Rng::with_seed(SEED);
    let mut draw = |windows: &[Window]| {
        let drawn = windows.iter().map(|_| random.usize(..windows.len()));
        mean(drawn.map(|chosen| &windows[chosen]))
    };
    let mut changes: Vec<_> = (0..REPLICATES)
        .map(|_| {
            let before = draw(baseline);
            draw(other) - before
        })
        .collect();
    ends(&mut changes)
}

/// The ends of the interval that leaves out the most extreme of as many results as there are replicates.
pub fn ends(results: &mut [f64]) -> (f64, f64) {
    results.sort_unstable_by(f64::total_cmp);
    let beyond = (REPLICATES as f64 * (1.0 - CONFIDENCE) / 2.0).round();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a few out of thousands"
    )]
    let beyond = beyond as usize;
    (results[beyond], results[results.len() - 1 - beyond])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Windows of ten values that vary around a mean.
    fn series(seed: u64, mean: f64, windows: usize) -> Vec<Window> {
        let mut random = Rng::with_seed(seed);
        let mut sum = || (0..10).map(|_| mean * 2.0 * random.f64()).sum();
        (0..windows)
            .map(|_| Window {
                sum: sum(),
                count: 10.0,
            })
            .collect()
    }

    #[test]
    fn the_same_twice_has_not_changed_and_another_has() {
        let verdict = |other: f64| {
            let means = Means::of(&series(1, 100.0, 64), &series(2, other, 64));
            means.verdict(means.baseline)
        };
        assert_eq!(verdict(100.0), Verdict::NoChange);
        assert_eq!(verdict(150.0), Verdict::Higher);
        assert_eq!(verdict(60.0), Verdict::Lower);
    }

    #[test]
    fn what_was_not_there_before_has_grown() {
        let nothing = series(1, 0.0, 64);
        let means = Means::of(&nothing, &series(2, 5.0, 64));
        assert_eq!(means.verdict(100.0), Verdict::Higher);
        // A little of the whole is no change, however certain.
        assert_eq!(means.verdict(1e6), Verdict::NoChange);
        assert_eq!(
            Means::of(&nothing, &nothing).verdict(100.0),
            Verdict::NoChange
        );
    }

    #[test]
    fn a_few_windows_are_not_judged() {
        let means = Means::of(&series(1, 1.0, 9), &series(2, 9.0, 64));
        assert_eq!(
            (means.interval, means.verdict(1.0)),
            (None, Verdict::Unjudged)
        );
        assert_eq!(Means::of(&[], &[]).verdict(0.0), Verdict::NoChange);
    }

    #[test]
    fn the_true_difference_is_in_most_intervals() {
        let seeds = 60_u64;
        let holds = |seed: &u64| {
            let two = [series(2 * seed, 100.0, 64), series(2 * seed + 1, 130.0, 64)];
            let (low, high) = Means::of(&two[0], &two[1]).interval.unwrap();
            (low..=high).contains(&30.0)
        };
        let held = (0..seeds).filter(holds).count() as u64;
        assert!(held * 100 >= seeds * 95, "{held} of {seeds}");
    }
}
