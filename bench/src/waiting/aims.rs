//! What Punctual set out to reach, and whether it did.

use super::contenders::{
    COARSE, Call, DEFAULT_SLACK, PUNCTUAL, PURE_SPIN, SLICE_AS_FOUND, SpinSleep,
};
use super::interleave::Series;
use super::load::Load;
use crate::failure::Failure;
use crate::share::percent;
use crate::statistics::{Figures, LATE};
use punctual::margin::{Budget, LateRate};
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
    LateShare,
    Percentile99,
    HalfTheLateShare,
    NoWorseThanCoarse,
}

/// A spin looks at the clock every 25 to 35 ns, so two medians closer than this are the same.
const MEDIAN_NANOS: f64 = 20.0;

const HALF: f64 = 0.5;

/// Where the aims of a loaded machine hold: so often do programs wait that need precision on one.
const LOADED_HERTZ: u32 = 1_000;

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
            Self::LateShare => {
                let asked = LateRate::default().share();
                format!(
                    "share of late waits, as asked for: at most {}",
                    percent(asked)
                )
            }
            Self::Percentile99 => {
                format!("p99 of waits, in ns: at most {}", LATE.as_nanos())
            }
            Self::HalfTheLateShare => format!(
                "share of late waits over that with the thread's slice as found: at most {HALF}"
            ),
            Self::NoWorseThanCoarse => {
                "p99 of all deadlines less that without a spin, in ns: at most 0".to_owned()
            }
        }
    }

    fn limit(self) -> f64 {
        match self {
            Self::MedianOfASpin => MEDIAN_NANOS,
            Self::HalfTheSpin | Self::HalfTheSpinWithoutSlack | Self::HalfTheLateShare => HALF,
            Self::WithinBudget => Budget::default().share(),
            Self::NoLaterThanSpinSleep | Self::NoWorseThanCoarse => 0.0,
            Self::LateShare => LateRate::default().share(),
            Self::Percentile99 => LATE.as_nanos() as f64,
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

/// The aims that the table alone decides, as far as those take part whom they compare.
pub fn of_table(rate_hertz: u32, load: Load, table: &[Series]) -> Result<Vec<Aim>, Failure> {
    let Some(ours) = Series::find_if_measured(table, PUNCTUAL) else {
        return Ok(Vec::new());
    };
    let place = Place {
        rate_hertz,
        load,
        table,
        ours,
        figures: Figures::of(&ours.blocks)?,
    };
    let mut aims = match load {
        Load::Idle => place.idle()?,
        _ => place.loaded()?,
    };
    if load != Load::Idle && rate_hertz == LOADED_HERTZ {
        aims.extend(place.loaded_at_a_kilohertz()?);
    }
    Ok(aims)
}

/// A table, and what Punctual's row of it says.
struct Place<'a> {
    rate_hertz: u32,
    load: Load,
    table: &'a [Series],
    ours: &'a Series,
    figures: Figures,
}

impl Place<'_> {
    fn aim(&self, kind: Kind, value: Option<f64>) -> Aim {
        Aim::new(kind, self.rate_hertz, self.load, value, None)
    }

    /// The figures of somebody else, if they take part.
    fn of(&self, name: &str) -> Result<Option<Figures>, Failure> {
        let measured = Series::find_if_measured(self.table, name);
        measured
            .map(|series| Figures::of(&series.blocks))
            .transpose()
    }

    fn idle(&self) -> Result<Vec<Aim>, Failure> {
        let spin = self.of(PURE_SPIN)?;
        let beyond = spin.map(|spin| self.figures.p50_ns as f64 - spin.p50_ns as f64);
        let aim = beyond.map(|beyond| self.aim(Kind::MedianOfASpin, Some(beyond)));
        Ok(aim.into_iter().collect())
    }

    fn loaded(&self) -> Result<Vec<Aim>, Failure> {
        let mut budget = self.aim(Kind::WithinBudget, self.figures.spun_share);
        budget.reached = within_budget(self.ours);
        let peer = self.of(&SpinSleep::name_of(Call::Sleep, DEFAULT_SLACK))?;
        let later = peer.map(|peer| self.figures.late_or_missed_share - peer.late_or_missed_share);
        let later = later.map(|later| self.aim(Kind::NoLaterThanSpinSleep, Some(later)));
        Ok([budget].into_iter().chain(later).collect())
    }

    fn loaded_at_a_kilohertz(&self) -> Result<Vec<Aim>, Failure> {
        let mut aims = Vec::new();
        let share = self.figures.late_over_1us_share;
        if self.load == Load::Busy {
            aims.push(Aim::new(
                Kind::LateShare,
                self.rate_hertz,
                self.load,
                Some(share),
                self.figures
                    .late_share_low
                    .zip(self.figures.late_share_high),
            ));
            aims.push(self.aim(Kind::Percentile99, Some(self.figures.p99_ns as f64)));
        }
        if self.load == Load::Crowded
            && let Some(found) = self.of(SLICE_AS_FOUND)?
        {
            let ratio = share / found.late_over_1us_share;
            aims.push(self.aim(Kind::HalfTheLateShare, Some(ratio)));
        }
        if let Some(coarse) = self.of(COARSE)? {
            let both = self
                .figures
                .p99_of_deadlines_ns
                .zip(coarse.p99_of_deadlines_ns);
            let beyond = both.map(|(ours, coarse)| ours as f64 - coarse as f64);
            aims.push(self.aim(Kind::NoWorseThanCoarse, beyond));
        }
        Ok(aims)
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
