//! Beats with work between them, which each waiter keeps alone.

use super::{PaceRecord, Plan, PlanRecord, Turn, WARM_UP, milliseconds};
use crate::confidence::Waits;
use crate::machine::Machine;
use crate::observer::Observer;
use crate::question::Refusal;
use crate::schedule::{self, Schedule};
use crate::waiters::contenders::names_of_series;
use crate::waiters::{Kind, TICKER, Waiter};
use punctual::{Error, Period};
use punctual_data::pace::Pace;
use punctual_data::written;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How steadily does each waiter keep a beat?
pub type Question = schedule::Question<Beats>;

/// Beats with work between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beats {
    /// The time between two beats.
    #[serde(rename = "period_ns", with = "written::period")]
    pub period: Period,
    /// How long the waiters run.
    pub length: Length,
    /// How long the loop works after every beat.
    #[serde(rename = "work_ns", with = "written::nanos")]
    pub work: Duration,
}

/// How long the waiters run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Length {
    /// Each for this long, without the warm-up.
    #[serde(rename = "each_ns", with = "written::nanos")]
    Each(Duration),
    /// All together for ten seconds.
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

impl Beats {
    /// Without work, for as long as usual.
    pub fn every(period: Period) -> Self {
        Self {
            period,
            length: Length::default(),
            work: Duration::ZERO,
        }
    }

    /// How long each waiter runs.
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
}

impl Schedule for Beats {
    const KIND: Kind = Kind::Beats;
    const LEARNS: Option<&'static str> = Some(TICKER);

    type Series = Pace;
    type Plan = Plan;
    type PlanRecord = PlanRecord;
    type Record = PaceRecord;

    fn names<M>(question: &Question, waiters: &[Waiter<M>]) -> Result<Vec<String>, Refusal> {
        let (work, period) = (
            question.schedule.work,
            question.schedule.period.to_duration(),
        );
        if work >= period {
            return Err(Refusal::TooMuchWork { work, period });
        }
        let names = waiters.iter().map(|waiter| waiter.name);
        Ok(names_of_series(names, question.variants()))
    }

    fn plan(&self, series: usize) -> Result<Plan, Refusal> {
        Ok(Plan {
            period: self.period,
            duration: self.duration(series)?,
            work: self.work,
        })
    }

    /// Milliseconds, without the warm-up.
    fn steps(plan: Plan, series: u64) -> u64 {
        milliseconds(plan.duration).saturating_mul(series)
    }

    /// Drift shows only in a long run.
    const PASSES: u32 = 1;

    fn part(&self, _: u32, values: u32) -> Self {
        let length = match self.length {
            Length::Each(each) => Length::Each(each),
            Length::Quick => Length::Each(QUICK / values),
        };
        Self { length, ..*self }
    }

    fn merge(series: &mut Pace, later: Pace) {
        *series = later;
    }

    /// The observer gets a report of each waiter every second.
    fn run<M: Machine>(
        question: &Question,
        plan: Plan,
        machine: &M,
        waiters: &[Waiter<M>],
        observer: &mut dyn Observer<Pace>,
    ) -> Result<(), Error> {
        let made = question.contenders(machine, waiters, plan.period, question.variants())?;
        let names = made.contenders.iter().map(|(_, made)| made.name.clone());
        observer.begins(names.collect(), made.unavailable);
        for (index, (number, mut contender)) in made.contenders.into_iter().enumerate() {
            let mut turn = Turn {
                machine,
                plan,
                index,
                pace: Pace::of(contender.name, plan.period),
            };
            let keeping = waiters[number].keeping_of_beats();
            turn.run(keeping, &mut *contender.wait, observer);
            if observer.stops() {
                break;
            }
        }
        Ok(())
    }

    /// Without work, a wait begins when the one before has ended.
    fn records(question: &Question, found: &[(String, Option<Pace>)]) -> Vec<PaceRecord> {
        let asked = &question.schedule;
        let waits = Waits::of_question(question, asked.period.to_duration(), asked.work.is_zero());
        let paces = found.iter().filter_map(|(_, pace)| pace.as_ref());
        let record = |pace: &Pace| PaceRecord {
            confidence: waits.of_series(&pace.way),
            ..PaceRecord::from(pace)
        };
        paces.map(record).collect()
    }
}
