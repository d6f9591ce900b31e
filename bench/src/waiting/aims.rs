//! What Punctual set out to reach, and whether it did.

use super::contenders::{Call, DEFAULT_SLACK, PUNCTUAL, PURE_SPIN, SpinSleep};
use super::interleave::Series;
use super::load::Load;
use crate::failure::Failure;
use crate::share::percent;
use crate::statistics::Figures;
use punctual::margin::Budget;
use serde::Serialize;
use std::time::Duration;

/// One aim at one rate under one load.
#[derive(Debug, Serialize)]
pub struct Aim {
    #[serde(skip)]
    pub kind: Kind,
    pub aim: String,
    pub rate_hertz: u32,
    pub load: Load,
    pub reached: bool,
    /// None: there was nothing to compare with, which does not count as reached.
    pub value: Option<f64>,
    pub value_low: Option<f64>,
    pub value_high: Option<f64>,
}

/// The aims, in the order they are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    MedianOfASpin,
    HalfTheSpin,
    HalfTheSpinWithoutSlack,
    WithinBudget,
    NoLaterThanSpinSleep,
}

/// A spin looks at the clock every 25 to 35 ns, so two medians closer than this are the same.
const MEDIAN_NANOS: f64 = 20.0;

const HALF: f64 = 0.5;

impl Kind {
    fn text(self) -> String {
        match self {
            Self::MedianOfASpin => {
                format!("median lateness less a pure spin's, in ns: at most {MEDIAN_NANOS}")
            }
            Self::HalfTheSpin => format!(
                "processor time above no spin's over spin_sleep's (slack 50 µs) when \
                 asked for its late share: at most {HALF}"
            ),
            Self::HalfTheSpinWithoutSlack => format!(
                "processor time above no spin's over spin_sleep's (slack 1 ns) when \
                 asked for its late share: at most {HALF}"
            ),
            Self::WithinBudget => {
                let budget = Budget::default();
                format!(
                    "share of the time spun: at most {} and a burst of {} ms once",
                    percent(budget.share()),
                    budget.burst().as_millis()
                )
            }
            Self::NoLaterThanSpinSleep => {
                "deadlines late or missed, less spin_sleep's (slack 50 µs), as shares: \
                 at most 0"
                    .to_owned()
            }
        }
    }

    fn limit(self) -> f64 {
        match self {
            Self::MedianOfASpin => MEDIAN_NANOS,
            Self::HalfTheSpin | Self::HalfTheSpinWithoutSlack => HALF,
            Self::WithinBudget => Budget::default().share(),
            Self::NoLaterThanSpinSleep => 0.0,
        }
    }
}

impl Aim {
    pub fn new(
        kind: Kind,
        rate_hertz: u32,
        load: Load,
        value: Option<f64>,
        spread: Option<(f64, f64)>,
    ) -> Self {
        Self {
            kind,
            aim: kind.text(),
            rate_hertz,
            load,
            reached: value.is_some_and(|value| value <= kind.limit()),
            value,
            value_low: spread.map(|(low, _)| low),
            value_high: spread.map(|(_, high)| high),
        }
    }
}

/// The aims that the table alone decides.
pub fn of_table(rate_hertz: u32, load: Load, table: &[Series]) -> Result<Vec<Aim>, Failure> {
    let ours = Series::find(table, PUNCTUAL)?;
    let figures = Figures::of(&ours.blocks)?;
    let aim = |kind, value| Aim::new(kind, rate_hertz, load, Some(value), None);
    match load {
        Load::Idle => {
            let spin = Figures::of(&Series::find(table, PURE_SPIN)?.blocks)?;
            let beyond = figures.p50_ns as f64 - spin.p50_ns as f64;
            Ok(vec![aim(Kind::MedianOfASpin, beyond)])
        }
        Load::Busy => {
            let name = SpinSleep::name_of(Call::Sleep, DEFAULT_SLACK);
            let peer = Figures::of(&Series::find(table, &name)?.blocks)?;
            let later = figures.late_or_missed_share - peer.late_or_missed_share;
            let mut budget = aim(Kind::WithinBudget, figures.spun_share.unwrap_or(0.0));
            budget.reached = within_budget(ours);
            Ok(vec![budget, aim(Kind::NoLaterThanSpinSleep, later)])
        }
    }
}

/// Over its whole life, warm-up included: so the promise is made.
fn within_budget(ours: &Series) -> bool {
    let blocks = || ours.warm_up.iter().chain(&ours.blocks);
    let spun: Duration = blocks().filter_map(|block| block.spun).sum();
    let elapsed: Duration = blocks().map(|block| block.elapsed).sum();
    let budget = Budget::default();
    spun <= elapsed.mul_f64(budget.share()) + budget.burst()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::waiting::grid::Outcome;

    #[test]
    fn an_aim_without_a_value_is_not_reached() {
        let aim = |value| Aim::new(Kind::HalfTheSpin, 1_000, Load::Idle, value, None);
        assert!(aim(Some(0.5)).reached);
        assert!(!aim(Some(0.51)).reached);
        assert!(!aim(None).reached);
    }

    #[test]
    fn the_burst_is_spent_once() {
        let second = Duration::from_secs(1);
        let earned = second.mul_f64(Budget::default().share());
        let burst = Budget::default().burst();
        let block = |spun| Outcome {
            spun: Some(spun),
            elapsed: second,
            ..Outcome::default()
        };
        let series = |blocks| Series {
            contender: PUNCTUAL.to_owned(),
            warm_up: vec![block(earned + burst)],
            blocks,
        };
        assert!(within_budget(&series(vec![block(earned), block(earned)])));
        let again = block(earned + burst);
        assert!(!within_budget(&series(vec![again, block(earned)])));
    }
}
