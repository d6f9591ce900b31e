//! The experiment `pace`: how steadily each way of keeping a beat keeps it, with work after each
//! beat.
//!
//! A periodic loop can wait in many ways. In some ways each late wake-up delays all later beats,
//! some are tied to whole milliseconds or to timer interrupts, and some are right only on average.
//! Each [`Waiter`] runs alone for the whole duration, because drift shows only in a long run.

use crate::confidence::{Confidence, Waits};
use crate::machine::Machine;
use crate::observer::Observer;
use crate::question::Refusal;
use crate::schedule::{self, Schedule};
use crate::waiters::contenders::names_of_series;
use crate::waiters::{Keeping, Kind, TICKER, Wait, Waiter};
use punctual::os::Spin;
use punctual::{Error, Period};
use punctual_data::distribution::Distribution;
use punctual_data::pace::{Beat, Pace, Second};
use punctual_data::quantity::whole_nanos;
use punctual_data::written;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::time::Duration;

/// How steadily each waiter kept a beat.
pub type PaceRecording = crate::recording::Recording<Beats>;

/// How often a loop tells its pace so far, at most. To take it down is a copy of its statistics, which
/// costs more than a second of a simulated loop.
const MOST_NEWS: u32 = 1_000;

/// Beats within this time, and at least one, are not counted: caches fill, margins are learned, and
/// a request takes effect at the next timer interrupt.
pub const WARM_UP: Duration = Duration::from_millis(200);

/// The loop to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// The requested time between two beats.
    pub period: Period,
    /// How long each way runs, without the warm-up.
    pub duration: Duration,
    /// How long the loop works after every beat.
    pub work: Duration,
}

impl Plan {
    /// The number of beats that are not counted.
    pub fn warm_up(&self) -> u64 {
        self.period.index_after(WARM_UP).max(1)
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// One way's run.
struct Turn<'a, M> {
    machine: &'a M,
    plan: Plan,
    /// The way's number among those that are tried.
    index: usize,
    pace: Pace,
}

impl<M: Machine> Turn<'_, M> {
    fn run(&mut self, keeping: Keeping, wait: &mut dyn Wait, observer: &mut dyn Observer<Pace>) {
        let times = self.machine.thread_times();
        let (mut beats, warm_up) = (0, self.plan.warm_up());
        let (mut processor, mut told) = (Duration::ZERO, Duration::ZERO);
        keep(self.machine, self.plan, keeping, wait, &mut |beat| {
            beats += 1;
            if beats < warm_up {
                return flow(observer.stops());
            }
            if beats == warm_up {
                processor = times.processor();
            }
            let second_is_over = self.pace.record(beat);
            let elapsed = self.pace.elapsed();
            let is_over = observer.stops() || elapsed >= self.plan.duration;
            let is_news = second_is_over && elapsed >= told + self.plan.duration / MOST_NEWS;
            if is_news || is_over {
                told = elapsed;
                self.pace.processor = times.processor() - processor;
                observer.block(self.index, &self.pace, self.done());
            }
            flow(is_over)
        });
    }

    fn done(&self) -> u64 {
        let each = milliseconds(self.plan.duration);
        self.index as u64 * each + milliseconds(self.pace.elapsed()).min(each)
    }
}

fn flow(is_over: bool) -> ControlFlow<()> {
    if is_over {
        ControlFlow::Break(())
    } else {
        ControlFlow::Continue(())
    }
}

/// Keeps a beat, works after each beat, and reports each beat, until it is told to stop or 64-bit
/// time ends.
pub fn keep<M: Machine>(
    machine: &M,
    plan: Plan,
    keeping: Keeping,
    wait: &mut dyn Wait,
    each: &mut dyn FnMut(Beat) -> ControlFlow<()>,
) {
    wait.begin_turn();
    let start = machine.now();
    let mut last = start;
    for index in 1.. {
        let began = machine.now();
        let deadlines = keeping.deadlines(plan.period, start, last, index);
        let Some(deadlines) = deadlines else {
            break;
        };
        let mut woke = began;
        if deadlines.sleep_until > began || keeping == Keeping::Itself {
            woke = wait.wait_until(deadlines.sleep_until);
        }
        if deadlines.spin_until > woke {
            woke = machine.spin_until(deadlines.spin_until, Spin::Pause);
        }
        last = woke;
        if each(Beat { began, woke }).is_break() {
            break;
        }
        if !plan.work.is_zero() {
            machine.work(plan.work);
        }
    }
    wait.end_turn();
}

/// What the question meant on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanRecord {
    /// How long each way ran, without the warm-up.
    pub duration_ns: u64,
    /// Beats of each way before those, which were not counted.
    pub warm_up_count: u64,
}

impl From<Plan> for PlanRecord {
    fn from(plan: Plan) -> Self {
        Self {
            duration_ns: whole_nanos(plan.duration),
            warm_up_count: plan.warm_up(),
        }
    }
}

/// The results of one way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PaceRecord {
    /// Its name.
    pub way: String,
    /// The number of intervals between beats.
    pub beats: u64,
    /// From the first counted beat to the last.
    pub elapsed_ns: u64,
    /// The average interval.
    pub average_ns: Option<f64>,
    /// By how many millionths it is longer than the requested period; negative if shorter.
    pub error_ppm: Option<f64>,
    /// How much a clock that counts these beats as periods loses in a day; negative if it gains.
    pub error_s_per_day: Option<f64>,
    /// The standard deviation of the intervals around their own average.
    pub jitter_ns: f64,
    /// Missed periods of a schedule that starts at the first beat: no beat was nearest to them.
    pub missed: u64,
    /// The share of time for which the thread had a processor, with its work, from 0 to 1.
    pub processor_share: f64,
    /// The intervals from beat to beat.
    pub intervals: Distribution,
    /// The waits themselves: from the end of the work to the beat.
    pub waits: Distribution,
    /// The pace over time: windows of one second each, or of 2, 4, … seconds in long runs, in
    /// order.
    pub stretches: Vec<StretchRecord>,
    /// How far these figures can be trusted; `None` on a real machine.
    pub confidence: Option<Confidence>,
}

/// What happened in a window of time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StretchRecord {
    /// The number of beats.
    pub beats: u64,
    /// How long it was.
    pub elapsed_ns: u64,
    /// The average interval.
    pub average_ns: f64,
    /// The longest interval.
    pub longest_ns: u64,
    /// Periods missed.
    pub missed: u64,
}

const SECONDS_PER_DAY: f64 = 86_400.0;

impl From<&Pace> for PaceRecord {
    fn from(pace: &Pace) -> Self {
        let error = pace.error();
        Self {
            way: pace.way.clone(),
            beats: pace.beats(),
            elapsed_ns: whole_nanos(pace.elapsed()),
            average_ns: pace.average_ns(),
            error_ppm: error.map(|share| share * 1e6),
            error_s_per_day: error.map(seconds_per_day),
            jitter_ns: pace.jitter_ns(),
            missed: pace.missed,
            processor_share: pace.processor_share(),
            intervals: Distribution::from(&pace.intervals),
            waits: Distribution::from(&pace.waits),
            stretches: pace.seconds.as_slice().iter().map(Into::into).collect(),
            confidence: None,
        }
    }
}

/// If every interval counts as one period, a day of real time contains fewer of them.
fn seconds_per_day(error: f64) -> f64 {
    SECONDS_PER_DAY * error / (1.0 + error)
}

impl From<&Second> for StretchRecord {
    fn from(second: &Second) -> Self {
        let beats = second.beats.max(1) as f64;
        Self {
            beats: second.beats,
            elapsed_ns: whole_nanos(second.elapsed),
            average_ns: second.elapsed.as_nanos() as f64 / beats,
            longest_ns: whole_nanos(second.longest),
            missed: second.missed,
        }
    }
}

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

#[cfg(test)]
mod tests;
