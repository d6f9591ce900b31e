//! What Punctual set out to reach with one thread, and whether it did.

use super::contenders::{COARSE, PUNCTUAL, PURE_SPIN, SLICE_AS_FOUND, SPIN_SLEEP};
use super::figures::{Figures, LATE};
use super::grid::Outcome;
use super::load::Load;
use super::{Condition, Measured};
use crate::report::{Aim, Bound, plain};
use punctual::margin::{Budget, LateRate};
use std::time::Duration;

/// A spin looks at the clock every 25 to 35 ns, so two medians closer than this are the same.
const MEDIAN_NANOS: f64 = 20.0;

/// Of the late waits of a thread with its slice as found.
const HALF: f64 = 0.5;

/// Where the aims of a loaded machine hold: so often do programs wait that need precision on one.
const LOADED_HERTZ: u32 = 1_000;

/// The aims of a table, as far as those take part whom they compare.
pub fn of(condition: Condition, table: &[Measured]) -> Vec<Aim> {
    let of = |name: &str| Measured::find(table, name).map(|it| &it.figures);
    let Some(Measured {
        figures, blocks, ..
    }) = Measured::find(table, PUNCTUAL)
    else {
        return Vec::new();
    };
    let mut aims = Vec::new();
    let mut add = |what: &str, most, value| {
        let what = format!("{what}, {condition}");
        aims.push(Aim::new(&what, Bound::AtMost(most), Some(value)));
    };
    let load = condition.load;
    if load == Load::Idle {
        if let Some(spin) = of(PURE_SPIN) {
            let beyond = figures.p50_ns as f64 - spin.p50_ns as f64;
            let what = "median lateness less a pure spin's, ns";
            add(what, MEDIAN_NANOS, beyond);
        }
        return aims;
    }
    if let Some(theirs) = of(SPIN_SLEEP[0]) {
        let later = figures.late_or_missed_share - theirs.late_or_missed_share;
        let what = "late or missed less spin_sleep's (slack 50 µs), %";
        add(what, 0.0, 100.0 * later);
    }
    if condition.rate_hertz == LOADED_HERTZ {
        if load == Load::Busy {
            let asked = 100.0 * LateRate::default().share();
            add("late waits, %", asked, 100.0 * figures.late_share);
            let late = LATE.as_secs_f64() * 1e6;
            add("p99 of waits, µs", late, figures.p99_ns as f64 / 1e3);
        }
        if let Some(found) = of(SLICE_AS_FOUND).filter(|_| load == Load::Crowded) {
            let ratio = figures.late_share / found.late_share;
            add("late waits over those with the slice as found", HALF, ratio);
        }
        let p99 = |figures: &Figures| figures.p99_of_deadlines_ns.map(|nanos| nanos as f64 / 1e3);
        if let Some((ours, coarse)) = p99(figures).zip(of(COARSE).and_then(p99)) {
            let what = "p99 of all deadlines less a coarse wait's, µs";
            add(what, 0.0, ours - coarse);
        }
    }
    aims.push(within_budget(condition, figures, blocks));
    aims
}

/// Reached if the share of the time that was spun is at most the budget, and its burst once.
fn within_budget(condition: Condition, figures: &Figures, ours: &[Outcome]) -> Aim {
    let budget = Budget::default();
    let spun: Duration = ours.iter().map(|block| block.spun).sum();
    let elapsed: Duration = ours.iter().map(|block| block.elapsed).sum();
    Aim {
        aim: format!(
            "time spun, %, {condition}: at most {} % and a burst of {} ms",
            plain::<0>(100.0 * budget.share()),
            budget.burst().as_millis()
        ),
        reached: spun <= elapsed.mul_f64(budget.share()) + budget.burst(),
        value: Some(100.0 * figures.spun_share),
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::waiting::grid::Beat;

    pub const BUSY: Condition = Condition {
        rate_hertz: 1_000,
        load: Load::Busy,
        threads: 1,
        beat: Beat::InStep,
    };

    fn block(spun: Duration) -> Outcome {
        Outcome {
            latenesses: vec![100],
            passed: Some(Vec::new()),
            spun,
            elapsed: Duration::from_secs(1),
            ..Outcome::default()
        }
    }

    #[test]
    fn the_burst_is_spent_once() {
        let budget = Budget::default();
        let earned = Duration::from_secs(1).mul_f64(budget.share());
        let reached = |spun: [Duration; 2]| {
            let blocks = spun.map(block);
            let figures = Figures::of(&blocks).unwrap();
            within_budget(BUSY, &figures, &blocks).reached
        };
        assert!(reached([earned + budget.burst(), earned]));
        assert!(!reached([earned + budget.burst(); 2]));
    }

    #[test]
    fn an_aim_compares_with_whoever_takes_part() {
        let measured = |name| Measured {
            name,
            blocks: vec![block(Duration::ZERO)],
            figures: Figures::of(&[block(Duration::ZERO)]).unwrap(),
        };
        let alone = of(BUSY, &[measured(PUNCTUAL)]);
        let beside = of(BUSY, &[measured(PUNCTUAL), measured(COARSE)]);
        assert_eq!((alone.len(), beside.len()), (3, 4));
        assert!(beside.iter().all(|aim| aim.reached));
        assert!(of(BUSY, &[measured(COARSE)]).is_empty());
    }
}
