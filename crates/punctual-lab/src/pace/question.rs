//! The question of `pace`.

use super::{Pace, Plan, Turn, WARM_UP, milliseconds};
use crate::confidence::Waits;
use crate::machine::Machine;
use crate::observer::Observer;
use crate::question::{Conditions, Experiment, Refusal, Simulated, ensure_personas, written};
use crate::waiters::contenders::{Variants, chosen, contenders, ensure_no_wishes, names_of_series};
use crate::waiters::{Kind, TICKER, Waiter, WaiterOptions};
use punctual::margin::{Budget, LateRate};
use punctual::{Error, Period};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How steadily does each way of keeping a beat keep it?
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// The time between two beats.
    #[serde(rename = "period_ns", with = "written::period")]
    pub period: Period,
    /// How long the ways run.
    pub length: Length,
    /// How long the loop works after every beat.
    #[serde(rename = "work_ns", with = "written::nanos")]
    pub work: Duration,
    /// The ways to try, each name once; an empty list means all that the machine offers.
    pub ways: Vec<String>,
    /// The conditions on the machine during the experiment.
    #[serde(flatten)]
    pub conditions: Conditions,
    /// The share of beats that way `ticker` may keep late; `None` for its default.
    #[serde(with = "written::late_rate")]
    pub late_rate: Option<LateRate>,
    /// The share of time that way `ticker` may spend spinning; `None` for its default.
    #[serde(with = "written::budget")]
    pub budget: Option<Budget>,
    /// If set, each way is tried a second time, under this process's own request for this interval.
    #[serde(rename = "request_ns", with = "written::optional_nanos")]
    pub request: Option<Duration>,
    /// The simulated machine to ask; `None` for the machine that this program runs on.
    pub on: Option<Simulated>,
}

/// How long the ways run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Length {
    /// Each way for this long, without the warm-up.
    #[serde(rename = "each_ns", with = "written::nanos")]
    Each(Duration),
    /// All ways together for ten seconds.
    Quick,
}

/// Long enough for a first look.
const QUICK: Duration = Duration::from_secs(10);

impl Default for Length {
    /// Enough to see a drift of half a millisecond per second.
    fn default() -> Self {
        Self::Each(Duration::from_secs(3))
    }
}

impl Question {
    /// This machine, idle, with all its ways, and a loop without work.
    pub fn every(period: Period) -> Self {
        Self {
            period,
            length: Length::default(),
            work: Duration::ZERO,
            ways: Vec::new(),
            conditions: Conditions::default(),
            late_rate: None,
            budget: None,
            request: None,
            on: None,
        }
    }

    /// The waits that the ways are about. Without work, a wait begins when the one before has ended.
    pub fn waits(&self) -> Waits<'_> {
        Waits {
            on: self.on.as_ref(),
            conditions: &self.conditions,
            request: self.request,
            duration: self.period.to_duration(),
            is_tight: self.work.is_zero(),
        }
    }

    /// How long each way runs.
    fn duration(&self, series: usize) -> Result<Duration, Refusal> {
        let period = self.period.to_duration();
        let least = period.saturating_mul(2);
        let (each, warm_up, turns) = match self.length {
            Length::Each(each) => (each, Duration::ZERO, 1),
            Length::Quick => {
                let turns = u32::try_from(series).unwrap_or(u32::MAX).max(1);
                let warm_up = WARM_UP.max(period);
                ((QUICK / turns).saturating_sub(warm_up), warm_up, turns)
            }
        };
        if each < least {
            return Err(Refusal::TooShort {
                tried: turns.into(),
                least: least.saturating_add(warm_up).saturating_mul(turns),
            });
        }
        Ok(each)
    }

    fn ways<M: Machine>(&self) -> Result<Vec<Waiter<M>>, Refusal> {
        let period = self.period.to_duration();
        if self.work >= period {
            let work = self.work;
            return Err(Refusal::TooMuchWork { work, period });
        }
        if self.request.is_some() && !M::HAS_INTERVAL {
            return Err(Refusal::NoInterval);
        }
        ensure_personas(Kind::Way, &self.ways, self.on.as_ref())?;
        let ways = chosen(Kind::Way, &self.ways)?;
        let ticks = ways.iter().any(|way| way.name == TICKER);
        if !ticks {
            ensure_no_wishes(Kind::Way, TICKER, self.late_rate, self.budget)?;
        }
        self.conditions.ensure_slices::<M>()?;
        self.conditions.ensure_companions::<M>()?;
        self.conditions.ensure_standing::<M>()?;
        Ok(ways)
    }

    fn variants(&self) -> Variants<'_> {
        Variants {
            request: self.request,
            is_tuned: false,
            slices: &self.conditions.slices,
        }
    }
}

impl Experiment for Question {
    type Series = Pace;
    type Plan = Plan;

    fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    fn on(&self) -> Option<&Simulated> {
        self.on.as_ref()
    }

    fn series<M: Machine>(&self) -> Result<Vec<String>, Refusal> {
        let ways = self.ways::<M>()?;
        let names = ways.iter().map(|way| way.name);
        Ok(names_of_series(names, self.variants()))
    }

    fn plan<M: Machine>(&self) -> Result<Plan, Refusal> {
        let duration = self.duration(self.series::<M>()?.len())?;
        Ok(Plan {
            period: self.period,
            duration,
            work: self.work,
        })
    }

    /// Milliseconds, without the warm-up.
    fn steps<M: Machine>(&self) -> Result<u64, Refusal> {
        let each = milliseconds(self.plan::<M>()?.duration);
        Ok(each.saturating_mul(self.series::<M>()?.len() as u64))
    }

    /// The observer gets a report of each way every second.
    fn run<M: Machine>(&self, machine: &M, observer: &mut dyn Observer<Pace>) -> Result<(), Error> {
        let (ways, plan) = (self.ways::<M>()?, self.plan::<M>()?);
        let _scheduled = self.conditions.schedule(machine)?;
        let options = WaiterOptions {
            name: "",
            period: self.period,
            late_rate: self.late_rate.unwrap_or_default(),
            budget: self.budget.unwrap_or_default(),
            slice: self.conditions.slice_of_sleepers(),
        };
        let made = contenders(machine, &ways, Kind::Way, options, self.variants())?;
        let names = made.contenders.iter().map(|(_, made)| made.name.clone());
        observer.begins(names.collect(), made.unavailable);
        for (index, (way, mut contender)) in made.contenders.into_iter().enumerate() {
            let mut turn = Turn {
                machine,
                plan,
                index,
                pace: Pace::of(contender.name, plan.period),
            };
            let keeping = ways[way].keeping_of_beats();
            turn.run(keeping, &mut *contender.wait, observer);
            if observer.stops() {
                break;
            }
        }
        Ok(())
    }
}
