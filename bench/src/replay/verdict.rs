//! Whether a rule did what it set out to do.

use serde::Serialize;

/// As close as this is met, however many waits there are: 0.3 points, or a fifth of what was
/// requested.
const ABSOLUTE: f64 = 0.003;
const RELATIVE: f64 = 0.2;

/// A late share of few waits is further off by chance: two standard errors, which chance exceeds
/// one time in twenty.
const STANDARD_ERRORS: f64 = 2.0;

/// How much more than the best fixed margin, known afterwards, may be spun.
pub const MOST_SPIN: f64 = 1.1;

/// How many more waits may be late than with the best fixed policy, known afterwards.
const MOST_LATE: f64 = 1.1;

/// How a rule's aim turned out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LateAim {
    /// The late share is as requested.
    Met,
    /// More waits were late than requested, but fewer would have cost more than the budget.
    Budget,
    /// More waits were late than requested, but about as few as with the best fixed policy that spins
    /// no more than the budget.
    Best,
    Missed,
}

/// How far from the requested late share a share of so many waits may be.
pub fn tolerance(requested: f64, waits: u64) -> f64 {
    let standard_error = (requested * (1.0 - requested) / waits as f64).sqrt();
    ABSOLUTE
        .min(RELATIVE * requested)
        .max(STANDARD_ERRORS * standard_error)
}

/// `affordable`: whether the best fixed margin at the requested late share would have kept the
/// budget. `best`: the late share of the best fixed policy that did, where a longer margin does not
/// always make fewer waits late.
pub fn late_aim(
    late_share: f64,
    requested: f64,
    waits: u64,
    affordable: bool,
    best: Option<f64>,
) -> LateAim {
    if (late_share - requested).abs() <= tolerance(requested, waits) {
        LateAim::Met
    } else if let Some(best) = best {
        if late_share > requested && late_share <= MOST_LATE * best {
            LateAim::Best
        } else {
            LateAim::Missed
        }
    } else if late_share > requested && !affordable {
        LateAim::Budget
    } else {
        LateAim::Missed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tolerance_is_the_lesser_of_two_or_what_chance_does() {
        let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert!(close(tolerance(0.10, 1_000_000), 0.003));
        assert!(close(tolerance(0.01, 1_000_000), 0.002));
        // 2 · sqrt(0.003 · 0.997 / 600)
        assert!(close(
            tolerance(0.003, 600),
            2.0 * (0.002_991_f64 / 600.0).sqrt()
        ));
    }

    #[test]
    fn only_too_many_late_waits_are_the_budgets_doing() {
        assert_eq!(late_aim(0.0119, 0.01, 1_000_000, true, None), LateAim::Met);
        assert_eq!(late_aim(0.02, 0.01, 1_000_000, true, None), LateAim::Missed);
        assert_eq!(
            late_aim(0.02, 0.01, 1_000_000, false, None),
            LateAim::Budget
        );
        assert_eq!(
            late_aim(0.005, 0.01, 1_000_000, false, None),
            LateAim::Missed
        );
    }

    #[test]
    fn where_a_longer_margin_does_not_help_the_best_policy_is_the_aim() {
        let late_aim = |late_share, best| late_aim(late_share, 0.01, 1_000_000, false, Some(best));
        assert_eq!(late_aim(0.011, 0.005), LateAim::Met);
        assert_eq!(late_aim(0.021, 0.02), LateAim::Best);
        assert_eq!(late_aim(0.023, 0.02), LateAim::Missed);
        assert_eq!(late_aim(0.001, 0.02), LateAim::Missed);
    }
}
