//! Whether a rule did what it set out to do.

use super::Outcome;
use super::hindsight::Hindsight;
use punctual::margin::{Budget, LateRate};

/// As close as this is met, however many waits there are: 0.3 points, or a fifth of what was requested.
const ABSOLUTE: f64 = 0.003;
const RELATIVE: f64 = 0.2;

/// A late share of few waits is further off by chance: two standard errors, which chance exceeds one time in twenty.
const STANDARD_ERRORS: f64 = 2.0;

/// How much more than the best fixed margin, known afterwards, may be spun.
const MOST_SPIN: f64 = 1.1;

/// How many more waits may be late than with the best fixed policy, known afterwards.
const MOST_LATE: f64 = 1.1;

/// How the share of late waits turned out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Late {
    /// As requested.
    Met,
    /// More were late than requested, but fewer would have cost more than the budget.
    Budget,
    /// More were late than requested, but about as few as with the best fixed policy that spins no more than the budget.
    Best,
    Missed,
}

/// What is said of both aims, and whether both were reached.
pub fn of(
    requested: LateRate,
    budget: Option<Budget>,
    outcome: Outcome,
    hindsight: &Hindsight,
) -> (&'static str, bool) {
    let (requested, late_share) = (requested.share(), outcome.late_share());
    let is_affordable = budget.is_none_or(|budget| {
        let elapsed = outcome.elapsed_ns as f64 / outcome.waits.max(1) as f64;
        let spin = hindsight.spin_ns(requested);
        spin.is_some_and(|spin| spin <= budget.share() * elapsed)
    });
    let best = best_late_share(budget, hindsight);
    let late = late(late_share, requested, outcome.waits, is_affordable, best);
    // What makes the fewest waits late costs what it costs, within the budget.
    let is_cheap = late == Late::Best
        || hindsight
            .spin_ns(late_share)
            .is_none_or(|best| outcome.spin_ns() <= MOST_SPIN * best);
    let words = match (late, is_cheap) {
        (Late::Met, true) => "met",
        (Late::Budget, true) => "budget",
        (Late::Best, true) => "best",
        (Late::Missed, true) => "late",
        (Late::Missed, false) => "late, spin",
        (_, false) => "spin",
    };
    (words, late != Late::Missed && is_cheap)
}

/// Under load, the late share of the best fixed policy that keeps the budget.
pub fn best_late_share(budget: Option<Budget>, hindsight: &Hindsight) -> Option<f64> {
    hindsight.late_share(budget.map_or(1.0, Budget::share))
}

/// How far from the requested late share a share of so many waits may be.
pub fn tolerance(requested: f64, waits: u64) -> f64 {
    let standard_error = (requested * (1.0 - requested) / waits as f64).sqrt();
    ABSOLUTE
        .min(RELATIVE * requested)
        .max(STANDARD_ERRORS * standard_error)
}

/// `is_affordable`: whether the best fixed margin at the requested late share would have kept the budget. `best`: the
/// late share of the best fixed policy that did, where a longer margin does not always make fewer waits late.
fn late(
    late_share: f64,
    requested: f64,
    waits: u64,
    is_affordable: bool,
    best: Option<f64>,
) -> Late {
    if (late_share - requested).abs() <= tolerance(requested, waits) {
        return Late::Met;
    }
    match best {
        _ if late_share <= requested => Late::Missed,
        Some(best) if late_share <= MOST_LATE * best => Late::Best,
        None if !is_affordable => Late::Budget,
        _ => Late::Missed,
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
        let of_600 = 2.0 * (0.002_991_f64 / 600.0).sqrt();
        assert!(close(tolerance(0.003, 600), of_600));
    }

    #[test]
    fn only_too_many_late_waits_are_the_budgets_doing() {
        let late =
            |late_share, is_affordable| late(late_share, 0.01, 1_000_000, is_affordable, None);
        assert_eq!(late(0.0119, true), Late::Met);
        assert_eq!(late(0.02, true), Late::Missed);
        assert_eq!(late(0.02, false), Late::Budget);
        assert_eq!(late(0.005, false), Late::Missed);
    }

    #[test]
    fn where_a_longer_margin_does_not_help_the_best_policy_is_the_aim() {
        let late = |late_share, best| late(late_share, 0.01, 1_000_000, false, Some(best));
        assert_eq!(late(0.011, 0.005), Late::Met);
        assert_eq!(late(0.021, 0.02), Late::Best);
        assert_eq!(late(0.023, 0.02), Late::Missed);
        assert_eq!(late(0.001, 0.02), Late::Missed);
    }
}
