//! Measures how late each method wakes, all under the same conditions: deadlines at a period, for which waiters take turns.

mod turns;

pub use turns::{Plan, measure};

use crate::confidence::{Confidence, Waits};
use crate::machine::Machine;
use crate::observer::Observer;
use crate::question::Refusal;
use crate::schedule::{self, Schedule};
use crate::waiters::{Kind, PUNCTUAL, Waiter};
use punctual::{Error, Period};
use punctual_data::distribution::Distribution;
use punctual_data::statistics::{Batch, Series};
use punctual_data::written;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How late each waiter woke.
pub type Recording = crate::recording::Recording<Deadlines>;

/// What the question meant on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanRecord {
    /// How many times each method was to wait.
    pub count: u64,
    /// Waits of each method before those, which were not counted.
    pub warm_up_count: u64,
    /// Waits of one method before the next had its turn.
    pub block_count: u64,
}

impl From<Plan> for PlanRecord {
    fn from(plan: Plan) -> Self {
        Self {
            count: plan.waits,
            warm_up_count: plan.warm_up(),
            block_count: plan.waits_per_block(),
        }
    }
}

/// The results of one method.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SeriesRecord {
    /// Its name.
    pub method: String,
    /// How many times it waited.
    pub count: u64,
    /// Wake-ups before their deadline.
    pub early: u64,
    /// Deadlines that passed while the thread waited for an earlier one.
    pub missed: u64,
    /// The share of time for which the thread had a processor, from 0 to 1.
    pub processor_share: f64,
    /// How late each wake-up was.
    pub per_wake: Distribution,
    /// How late each deadline was served, including missed deadlines.
    pub per_deadline: Distribution,
    /// The part of each wake-up's lateness before the thread was ready to run; `None` if unknown.
    pub timer: Option<Distribution>,
    /// The part of each wake-up's lateness when it was ready but not running; `None` if unknown.
    pub queue: Option<Distribution>,
    /// The same in windows of time, in order.
    pub batches: Vec<Batch>,
    /// How far these figures can be trusted; `None` on a real machine.
    pub confidence: Option<Confidence>,
}

impl From<&Series> for SeriesRecord {
    fn from(series: &Series) -> Self {
        let split = series.split.as_ref();
        Self {
            method: series.method.clone(),
            count: series.per_wake.count(),
            early: series.early,
            missed: series.missed,
            processor_share: series.processor_share(),
            per_wake: Distribution::from(&series.per_wake),
            per_deadline: Distribution::from(&series.per_deadline),
            timer: split.map(|split| Distribution::from(&split.timer)),
            queue: split.map(|split| Distribution::from(&split.queue)),
            batches: series.batches.as_slice().to_vec(),
            confidence: None,
        }
    }
}

/// How late does each waiter wake?
pub type Question = schedule::Question<Deadlines>;

/// A deadline per period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deadlines {
    /// The time between two deadlines.
    #[serde(rename = "period_ns", with = "written::period")]
    pub period: Period,
    /// How often each waiter waits, or how long all of them take.
    pub length: Length,
}

/// The amount of measuring.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Length {
    /// How many times each waiter waits, without the warm-up.
    Count(u64),
    /// How long everything takes in total.
    #[serde(rename = "duration_ns", with = "written::nanos")]
    Duration(Duration),
}

impl Default for Length {
    /// Enough for 99.9 %. All waiters at 1 ms take a third of a minute.
    fn default() -> Self {
        Self::Count(1_000)
    }
}

/// Long enough for a first look.
pub const QUICK: Length = Length::Duration(Duration::from_secs(10));

impl Deadlines {
    /// As many as usual.
    pub fn every(period: Period) -> Self {
        Self {
            period,
            length: Length::default(),
        }
    }

    /// How often each waiter can wait if all of them, with the warm-up, take this long in total.
    fn waits_within(&self, duration: Duration, series: u64) -> Result<u64, Refusal> {
        let plan = |waits| Plan {
            period: self.period,
            waits,
            takes: None,
        };
        let all = self.period.index_after(duration) / series;
        match all.checked_sub(plan(all).warm_up()) {
            Some(waits) if waits > 0 => Ok(waits),
            _ => Err(Refusal::TooShort {
                tried: series,
                least: plan(1).expected_duration(series),
            }),
        }
    }
}

impl Schedule for Deadlines {
    const KIND: Kind = Kind::Deadlines;
    const LEARNS: Option<&'static str> = Some(PUNCTUAL);

    type Series = Series;
    type Plan = Plan;
    type PlanRecord = PlanRecord;
    type Record = SeriesRecord;

    fn plan(&self, series: usize) -> Result<Plan, Refusal> {
        let (waits, takes) = match self.length {
            Length::Count(waits) => (waits, None),
            Length::Duration(duration) => {
                (self.waits_within(duration, series as u64)?, Some(duration))
            }
        };
        Ok(Plan {
            period: self.period,
            waits,
            takes,
        })
    }

    /// Waits, with those of the warm-up.
    fn steps(plan: Plan, series: u64) -> u64 {
        let each = plan.waits.saturating_add(plan.warm_up());
        each.saturating_mul(series)
    }

    const PASSES: u32 = 4;

    fn part(&self, passes: u32, values: u32) -> Self {
        let length = match self.length {
            Length::Count(count) => Length::Count(count.div_ceil(passes.into())),
            Length::Duration(duration) => Length::Duration(duration / passes / values),
        };
        Self { length, ..*self }
    }

    fn merge(series: &mut Series, later: Series) {
        series.merge(later);
    }

    fn run<M: Machine>(
        question: &Question,
        plan: Plan,
        machine: &M,
        waiters: &[Waiter<M>],
        observer: &mut dyn Observer<Series>,
    ) -> Result<(), Error> {
        let made = question.contenders(machine, waiters, plan.period, question.variants())?;
        let mut contenders: Vec<_> = made.contenders.into_iter().map(|(_, made)| made).collect();
        let names = contenders.iter().map(|contender| contender.name.clone());
        observer.begins(names.collect(), made.unavailable);
        measure(machine, &plan, &mut contenders, observer);
        Ok(())
    }

    /// They end at deadlines, and begin at any moment.
    fn records(question: &Question, found: &[(String, Option<Series>)]) -> Vec<SeriesRecord> {
        let waits = Waits::of_question(question, question.schedule.period.to_duration(), false);
        let record = |(name, series): &(String, Option<Series>)| SeriesRecord {
            confidence: waits.of_series(name),
            ..series.as_ref().map_or_else(
                || SeriesRecord::from(&Series::new(name)),
                SeriesRecord::from,
            )
        };
        found.iter().map(record).collect()
    }
}

#[cfg(test)]
mod tests;
