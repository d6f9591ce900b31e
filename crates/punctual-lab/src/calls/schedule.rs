//! Waits of given lengths, which each waiter makes alone: a tight loop of calls has a rhythm that turns would break.

use super::rounds::{Rounds, Taken, WARM_UP};
use super::{Lengths, SeriesRecord, When};
use crate::confidence::Waits;
use crate::machine::Machine;
use crate::observer::Observer;
use crate::question::Refusal;
use crate::schedule::{self, Schedule};
use crate::waiters::contenders::Variants;
use crate::waiters::{Kind, Waiter};
use punctual::guard::SliceGuard;
use punctual::{Error, Period};
use punctual_data::quantity::whole_nanos;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How long does each wait take that is to last for so long?
pub type Question = schedule::Question<Lengths>;

/// What the question means on any machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanRecord {
    /// How many times each waiter was to wait for each length.
    pub count: u64,
    /// Waits that began within this time before those were not counted.
    pub warm_up_ns: u64,
}

impl Question {
    /// The waits of this length. Without work, one begins just after a tick unless its moment is random.
    pub fn waits_of(&self, length: Duration) -> Waits<'_> {
        let asked = &self.schedule;
        let is_tight =
            asked.at == When::Aligned || (asked.at == When::Tight && asked.work.is_zero());
        Waits::of_question(self, length, is_tight)
    }
}

/// For each waiter, one series of each length.
fn empty<'a, M: 'a>(
    asked: &'a Lengths,
    waiters: impl Iterator<Item = &'a Waiter<M>>,
) -> impl Iterator<Item = Taken> {
    waiters.flat_map(|waiter| {
        let lengths = asked.lengths.iter();
        lengths.map(|&length| Taken::new(waiter, length))
    })
}

impl Schedule for Lengths {
    const KIND: Kind = Kind::Lengths;
    const LEARNS: Option<&'static str> = None;

    type Series = Taken;
    type Plan = PlanRecord;
    type PlanRecord = PlanRecord;
    type Record = SeriesRecord;

    fn names<M>(question: &Question, waiters: &[Waiter<M>]) -> Result<Vec<String>, Refusal> {
        if question.tuned {
            return Err(Refusal::LengthsTuned);
        }
        if question.conditions.slices.len() > 1 {
            return Err(Refusal::OneSlice);
        }
        let series = empty(&question.schedule, waiters.iter());
        Ok(series.map(|taken| taken.name()).collect())
    }

    fn plan(&self, _: usize) -> Result<PlanRecord, Refusal> {
        Ok(PlanRecord {
            count: self.count,
            warm_up_ns: whole_nanos(WARM_UP),
        })
    }

    /// Waits, without those of the warm-up.
    fn steps(plan: PlanRecord, series: u64) -> u64 {
        plan.count.saturating_mul(series)
    }

    const PASSES: u32 = 4;

    fn part(&self, passes: u32, _: u32) -> Self {
        Self {
            count: self.count.div_ceil(passes.into()),
            ..self.clone()
        }
    }

    fn merge(series: &mut Taken, later: Taken) {
        series.durations_ns.extend(later.durations_ns);
        series.failed = series.failed.take().or(later.failed);
    }

    /// All with the slice of the question.
    fn run<M: Machine>(
        question: &Question,
        _: PlanRecord,
        machine: &M,
        waiters: &[Waiter<M>],
        observer: &mut dyn Observer<Taken>,
    ) -> Result<(), Error> {
        let slice = question.conditions.slices.first();
        let set = |slice| SliceGuard::set(machine, slice).map_err(Refusal::Slice);
        let _sliced = slice.and_then(|slice| slice.set()).map(set).transpose()?;
        // What waits for a length has no period.
        let any = Period::from_hertz(1_000);
        let made = question.contenders(machine, waiters, any, Variants::default())?;
        let offers = made.contenders.iter().map(|(number, _)| &waiters[*number]);
        let series: Vec<_> = empty(&question.schedule, offers).collect();
        observer.begins(series.iter().map(Taken::name).collect(), made.unavailable);
        let mut waits: Vec<_> = made
            .contenders
            .into_iter()
            .map(|(_, made)| made.wait)
            .collect();
        // The seed is that of the simulated machine.
        let seed = question.on.as_ref().map_or(1, |on| on.seed);
        Rounds::new(machine, &question.schedule, seed).run(&mut waits, series, observer);
        Ok(())
    }

    fn records(question: &Question, found: &[(String, Option<Taken>)]) -> Vec<SeriesRecord> {
        let taken = found.iter().filter_map(|(_, taken)| taken.as_ref());
        let record = |taken: &Taken| {
            let record = SeriesRecord::from(taken);
            let mean = record.mean_ns.map(Duration::from_nanos);
            let waits = question.waits_of(taken.length);
            SeriesRecord {
                confidence: mean.and_then(|mean| waits.of_call(&taken.call, mean)),
                ..record
            }
        };
        taken.map(record).collect()
    }
}
