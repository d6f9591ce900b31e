//! What waits of given lengths take, begun at a moment of one's choice. Each waiter makes its waits alone: a tight
//! loop of calls has a rhythm that turns would break.

mod rounds;

pub use rounds::{Taken, WARM_UP};

use crate::confidence::{Confidence, Waits};
use crate::machine::Machine;
use crate::observer::Observer;
use crate::question::Refusal;
use crate::schedule::{self, Schedule};
use crate::waiters::contenders::Variants;
use crate::waiters::{Kind, Waiter};
use punctual::guard::SliceGuard;
use punctual::{Error, Period};
use punctual_data::clusters::{Cluster, clusters};
use punctual_data::pace::Spread;
use punctual_data::quantity::{rounded, whole_nanos};
use punctual_data::{as_text, named, written};
use rounds::Rounds;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What waits of given lengths took.
pub type Recording = crate::recording::Recording<Lengths>;

#[cfg(test)]
pub(crate) mod tests;

/// Waits of given lengths.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lengths {
    /// How long they wait, each length once.
    #[serde(rename = "lengths_ns", with = "written::many_nanos")]
    pub lengths: Vec<Duration>,
    /// When each wait begins.
    pub at: When,
    /// How many times each waiter waits for each length, without the warm-up.
    pub count: u64,
    /// How long the thread computes before each wait.
    #[serde(rename = "work_ns", with = "written::nanos")]
    pub work: Duration,
}

impl Lengths {
    /// How often each wait is made unless the question says otherwise: a share of one per cent then is ten.
    pub const COUNT: u64 = 1_000;

    /// In a tight loop, as often as usual.
    pub fn of(lengths: Vec<Duration>) -> Self {
        Self {
            lengths,
            at: When::default(),
            count: Self::COUNT,
            work: Duration::ZERO,
        }
    }
}

/// When each call begins. Written as a word.
///
/// ```
/// use punctual_lab::calls::When;
///
/// let when: When = "random".parse()?;
/// assert_eq!(when, When::Random);
/// assert_eq!(When::default().to_string(), "tight");
/// # Ok::<(), punctual::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum When {
    /// When the last call has returned.
    #[default]
    Tight,
    /// After computing for a random time, which is uniform between zero and the machine's
    /// [longest interval](crate::Machine::longest_interval).
    Random,
    /// Just after the machine's timer has [ticked](crate::Machine::await_tick).
    Aligned,
}

impl When {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Tight, Self::Random, Self::Aligned];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tight => "tight",
            Self::Random => "random",
            Self::Aligned => "aligned",
        }
    }
}

named!(When, "moment");

as_text!(When);

/// What one call took with one length.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeriesRecord {
    /// The name of the call.
    pub call: String,
    /// How long it was to wait.
    pub length_ns: u64,
    /// What the system was asked for: whole units of the call.
    pub asked_ns: u64,
    /// How long each call took, in order.
    pub durations_ns: Vec<u64>,
    /// Their mean; `None` if there are none.
    pub mean_ns: Option<u64>,
    /// Their spread: the standard deviation.
    pub spread_ns: Option<u64>,
    /// The shortest.
    pub min_ns: Option<u64>,
    /// The longest.
    pub max_ns: Option<u64>,
    /// How many were shorter than what the system was asked for.
    pub early: u64,
    /// The values near which they cluster, ascending.
    pub clusters: Vec<Cluster>,
    /// Why there are no more, if the system refused to wait.
    pub failed: Option<String>,
    /// How far the mean can be trusted; `None` on a real machine.
    pub confidence: Option<Confidence>,
}

impl From<&Taken> for SeriesRecord {
    fn from(taken: &Taken) -> Self {
        let all = taken.durations_ns.as_slice();
        let mut spread = Spread::default();
        all.iter().for_each(|&ns| spread.add(ns as f64));
        let is_any = !all.is_empty();
        let asked_ns = whole_nanos(taken.asked);
        Self {
            call: taken.call.clone(),
            length_ns: whole_nanos(taken.length),
            asked_ns,
            mean_ns: is_any.then(|| rounded(spread.mean())),
            spread_ns: is_any.then(|| rounded(spread.deviation())),
            min_ns: all.iter().min().copied(),
            max_ns: all.iter().max().copied(),
            early: all.iter().filter(|&&ns| ns < asked_ns).count() as u64,
            clusters: clusters(all),
            durations_ns: all.to_vec(),
            failed: taken.failed.clone(),
            confidence: None,
        }
    }
}

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
