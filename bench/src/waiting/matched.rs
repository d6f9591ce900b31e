//! Punctual asked for exactly as many late waits as spin_sleep has: which of them spins less?

use super::contenders::{Contender, NO_SPIN, SPIN_SLEEP, no_spin, spin_sleep};
use super::figures::processor_share;
use super::{Condition, Measured};
use crate::failure::Failure;
use crate::report::{Aim, Bound};
use punctual::margin::{Budget, LateRate};

/// How many take part.
pub const CONTENDERS: usize = 5;

/// There are few contenders, and ratios of differences are noisy.
pub const LONGER: f64 = 1.5;

/// Of spin_sleep's processor time, above the base.
const HALF: f64 = 0.5;

/// The base, and for each slack the peer and Punctual. `late_shares` are the peer's.
pub fn contenders(late_shares: [f64; 2]) -> Result<Vec<Contender>, Failure> {
    let mut contenders = vec![Contender::calling(NO_SPIN, no_spin)];
    for (name, late) in SPIN_SLEEP.into_iter().zip(late_shares) {
        let asked = late.clamp(LateRate::LEAST.share(), LateRate::MOST.share());
        contenders.push(Contender::calling(name, spin_sleep));
        // Without a budget, so that nothing but the late rate decides.
        contenders.push(Contender::aiming_at(
            LateRate::new(asked)?,
            Budget::new(1.0)?,
        ));
    }
    Ok(contenders)
}

/// What became of those.
pub fn aims(condition: Condition, measured: &[Measured]) -> Vec<Aim> {
    let Some((base, pairs)) = measured.split_first() else {
        return Vec::new();
    };
    let aim = |pair: &[Measured]| {
        let what = format!(
            "processor time above no spin's over that of {}, {condition}",
            pair[0].name
        );
        let shares = [base, &pair[0], &pair[1]].map(|it| processor_share(&it.blocks));
        Aim::new(&what, Bound::AtMost(HALF), ratio(shares))
    };
    pairs.chunks_exact(2).map(aim).collect()
}

/// Processor time above the base, ours over the peer's. None if the peer's is no more than the base: then there is nothing
/// to be a share of.
fn ratio([base, theirs, ours]: [Option<f64>; 3]) -> Option<f64> {
    let (above, ours_above) = (theirs? - base?, ours? - base?);
    (above > 0.0).then(|| ours_above / above)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_is_of_what_comes_on_top_of_the_base() {
        assert_eq!(ratio([1.0, 5.0, 3.0].map(Some)), Some(0.5));
        assert_eq!(ratio([5.0, 5.0, 3.0].map(Some)), None);
        assert_eq!(ratio([None, Some(5.0), Some(3.0)]), None);
    }
}
