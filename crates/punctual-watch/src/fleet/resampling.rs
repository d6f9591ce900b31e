//! The ratio between two groups of machines, and how sure it is.
//!
//! Machines differ: in hardware, in what they run, in what their neighbours run. That decides how sure a
//! difference between two groups can be, not the millions of wake-ups of each. So machines are drawn again and
//! again from each group, with replacement (a *bootstrap*). The ratio is that of geometric means, because lateness
//! varies by factors. The interval is a bootstrap-t: it counts by how many standard errors each draw is off, which
//! is right for fewer machines than plain percentiles of the draws are.
//!
//! Efron and Tibshirani, *An Introduction to the Bootstrap*, chapter 12.

use fastrand::Rng;

/// The share of intervals that contain the true ratio.
pub const CONFIDENCE: f64 = 0.95;
/// The fewest machines of a group. With eight, 93 to 97 % of the intervals contain the true ratio, in a thousand
/// simulations of each of the three ways of varying in the tests here. Fewer do as well there, but a handful of
/// machines is rarely drawn from a fleet by chance.
pub const FEWEST_MACHINES: usize = 8;
/// A smaller change is not called one, even if it is certain, as in `punctual compare`.
pub const LEAST_CHANGE: f64 = 0.01;
/// How often machines are drawn: the ends of the interval rest on the 50 draws beyond each.
pub const DRAWS: usize = 2_000;

/// By which factor the first group is later than the second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ratio {
    /// The ratio of the geometric means.
    pub ratio: f64,
    /// The interval that contains the true one at [`CONFIDENCE`].
    pub interval: (f64, f64),
}

/// What a ratio says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The first group is later.
    Later,
    /// The first group is less late.
    Earlier,
    /// No difference, or none that is certain.
    Same,
}

impl Verdict {
    /// The word in tables and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Later => "later",
            Self::Earlier => "earlier",
            Self::Same => "no difference",
        }
    }
}

impl Ratio {
    /// What it says.
    pub fn verdict(&self) -> Verdict {
        let (low, high) = self.interval;
        if low > 1.0 + LEAST_CHANGE {
            Verdict::Later
        } else if high < 1.0 / (1.0 + LEAST_CHANGE) {
            Verdict::Earlier
        } else {
            Verdict::Same
        }
    }
}

/// The geometric mean of positive values.
pub fn geometric_mean(values: &[f64]) -> f64 {
    let logarithms: Vec<_> = values.iter().map(|value| value.ln()).collect();
    Moments::of(&logarithms).mean.exp()
}

/// Compares a value of each machine between two groups. All values are positive. The seed decides the draws.
///
/// # Panics
/// If a group has fewer than two machines.
pub fn ratio(first: &[f64], second: &[f64], seed: u64) -> Ratio {
    assert!(
        first.len() > 1 && second.len() > 1,
        "one machine does not vary"
    );
    let groups =
        [first, second].map(|group| group.iter().map(|value| value.ln()).collect::<Vec<_>>());
    let (difference, error) = distance(groups.each_ref().map(|group| Moments::of(group)));
    let mut rng = Rng::with_seed(seed);
    let mut off: Vec<f64> = (0..DRAWS)
        .filter_map(|_| {
            let (drawn, its_error) =
                distance(groups.each_ref().map(|group| drawn(group, &mut rng)));
            // All draws of the same machine: it says nothing about how far off one can be.
            (its_error > 0.0).then(|| (drawn - difference) / its_error)
        })
        .collect();
    off.sort_by(f64::total_cmp);
    let beyond = |share: f64| match off.len() {
        0 => 0.0,
        draws => off[nearest(share * (draws - 1) as f64).min(draws - 1)],
    };
    let tail = (1.0 - CONFIDENCE) / 2.0;
    Ratio {
        ratio: difference.exp(),
        interval: (
            (difference - beyond(1.0 - tail) * error).exp(),
            (difference - beyond(tail) * error).exp(),
        ),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a place in the list of draws"
)]
fn nearest(place: f64) -> usize {
    place.round() as usize
}

/// A mean and the square of its standard error.
struct Moments {
    mean: f64,
    error_squared: f64,
}

impl Moments {
    fn of(values: &[f64]) -> Self {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Self {
            mean,
            error_squared: squares / (n - 1.0).max(1.0) / n,
        }
    }
}

/// The moments of as many machines, each drawn from all.
fn drawn(group: &[f64], rng: &mut Rng) -> Moments {
    let drawn: Vec<_> = group
        .iter()
        .map(|_| group[rng.usize(..group.len())])
        .collect();
    Moments::of(&drawn)
}

/// How far the means are apart, and the standard error of that.
fn distance([first, second]: [Moments; 2]) -> (f64, f64) {
    let error = (first.error_squared + second.error_squared).sqrt();
    (first.mean - second.mean, error)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine's value, whose logarithm has this middle. The three ways of varying are those that fleets show:
    /// the same for all, a few much later than the rest, and two kinds of hardware.
    fn machine(rng: &mut Rng, way: usize) -> f64 {
        let mut normal = || (0..12).map(|_| rng.f64()).sum::<f64>() - 6.0;
        let usual = 0.3 * normal();
        match way {
            0 => usual.exp(),
            1 => (usual + if rng.f64() < 0.1 { 1.0 } else { 0.0 } - 0.1).exp(),
            _ => (usual + if rng.bool() { 0.5 } else { -0.5 }).exp(),
        }
    }

    fn group(rng: &mut Rng, way: usize, machines: usize, factor: f64) -> Vec<f64> {
        (0..machines).map(|_| factor * machine(rng, way)).collect()
    }

    /// The share of intervals that contain the true ratio.
    fn coverage(way: usize, machines: [usize; 2], factor: f64) -> f64 {
        const TRIALS: u32 = 300;
        let mut rng = Rng::with_seed(19);
        let covered = (0..TRIALS).filter(|trial| {
            let first = group(&mut rng, way, machines[0], factor);
            let second = group(&mut rng, way, machines[1], 1.0);
            let (low, high) = ratio(&first, &second, u64::from(*trial)).interval;
            low <= factor && factor <= high
        });
        covered.count() as f64 / f64::from(TRIALS)
    }

    #[test]
    fn as_many_intervals_as_promised_contain_the_true_ratio() {
        for way in 0..3 {
            for machines in [[FEWEST_MACHINES; 2], [FEWEST_MACHINES, 40], [30, 30]] {
                let share = coverage(way, machines, 1.3);
                println!("way {way}, {machines:?} machines: {share}");
                // Three standard deviations of 300 trials are 4 %.
                assert!(
                    (0.91..=0.99).contains(&share),
                    "way {way}, {machines:?}: {share}"
                );
            }
        }
    }

    #[test]
    fn groups_that_do_not_differ_are_rarely_said_to() {
        let mut rng = Rng::with_seed(7);
        let wrong = (0..200).filter(|seed| {
            let groups = [(); 2].map(|()| group(&mut rng, 0, 12, 1.0));
            ratio(&groups[0], &groups[1], *seed).verdict() != Verdict::Same
        });
        assert!(wrong.count() <= 20);
    }

    #[test]
    fn a_difference_is_found_and_its_way_is_told() {
        let mut rng = Rng::with_seed(1);
        let late = group(&mut rng, 0, 40, 1.5);
        let usual = group(&mut rng, 0, 40, 1.0);
        let found = ratio(&late, &usual, 1);
        assert_eq!(found.verdict(), Verdict::Later);
        assert!((1.2..1.8).contains(&found.ratio), "{found:?}");
        let reversed = ratio(&usual, &late, 1);
        assert_eq!(reversed.verdict(), Verdict::Earlier);
        assert!((found.ratio * reversed.ratio - 1.0).abs() < 1e-9);
    }

    #[test]
    fn the_same_seed_says_the_same_and_equal_machines_are_certain() {
        let groups = [vec![1.0, 2.0, 3.0, 4.0], vec![2.0, 2.5, 3.0, 3.5]];
        let once = ratio(&groups[0], &groups[1], 5);
        assert_eq!(once, ratio(&groups[0], &groups[1], 5));
        let equal = ratio(&[2.0; 8], &[1.0; 8], 1);
        assert_eq!(equal.verdict(), Verdict::Later);
        assert!((equal.interval.0 - 2.0).abs() < 1e-9);
        assert!((geometric_mean(&[1.0, 4.0]) - 2.0).abs() < 1e-12);
    }
}
