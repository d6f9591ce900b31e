//! Learns how early to be woken, from the wake-up latencies of the system.
//!
//! A precise wait asks the system to wake it a *margin* before its deadline, and spins for the rest.
//! If the margin is too small, the wait ends late. If it is too large, the spin wastes processor time.
//! [`Margin`] finds the margin from two numbers: the share of waits that may end late ([`LateRate`])
//! and the share of time that may be spent spinning ([`Budget`]). It aims for the first and never
//! exceeds the second.
//!
//! ```
//! use std::time::Duration;
//! use punctual::margin::{Budget, LateRate, Margin, Observation};
//!
//! # fn main() -> Result<(), punctual::Error> {
//! let mut margin = Margin::new(LateRate::new(0.03)?, Budget::new(0.10)?);
//! let wait = Duration::from_millis(1);
//! for latency in (20..30).cycle().take(1000).map(Duration::from_micros) {
//!     let early = margin.before(wait);
//!     let elapsed = wait.max(wait - early + latency);
//!     let spun = early.saturating_sub(latency);
//!     margin.learn(Observation::new(wait, elapsed).with_latency(latency).with_spun(spun));
//! }
//! let early = margin.before(wait);
//! assert!(early > Duration::from_micros(28) && early < Duration::from_micros(31));
//! # Ok(())
//! # }
//! ```
//!
//! # The rule
//!
//! - **Histogram.** Latencies go into a histogram of logarithmic bins, one histogram for each class of
//!   wait lengths. A latency fades after so many later waits that 96 of them should have been late.
//!   The margin is the latency that a certain share of the histogram exceeds.
//! - **Correction.** That share is the late rate, corrected by what happened. Each late wait beyond
//!   the expected number lowers it by a thirty-second, and each one below that number raises it by as
//!   much. So the achieved rate is right even if the histogram is a poor forecast. If the deviation is
//!   greater than chance explains (12 waits), the histogram fades faster.
//! - **Lost turns.** A wait can end late although it was woken in time, because its thread lost its
//!   processor in the spin. A longer margin makes that more frequent. So the margin is no longer than
//!   where that makes as many waits late as a still longer margin would save. The late rate counts
//!   such waits, but at least half of it is left for late wake-ups.
//! - **Change.** The histogram starts again from the latest waits when the regime has changed. That is
//!   so when 12 more waits were late than punctual, or when a run of 12 stayed far below what nine in
//!   ten used to exceed (38 for one in two, 249 for one in ten).
//! - **Outliers.** A single high latency counts as at most twice the next smaller one.
//! - **Budget.** If the expected spin does not fit the budget, the margin is the one that makes the
//!   fewest waits late at a cost that fits, or a shorter one that leaves hardly more late. A token
//!   bucket enforces the budget: no sequence of latencies can overdraw it.
//! - **Company.** Of sleepers that share the budget of a process, each spins the part of its own that the others leave it.
//!   It learns from the same part of its waits. The budget pays for that, and for the dispatches that meetings cost. When
//!   everything is spent, a sleeper is coarse for about sixteen waits.
//! - **Probes.** If the margin is longer than the wait, the whole wait is spun. Such a wait teaches
//!   nothing, so sometimes the system is trusted with half of it. After a probe that ends in time
//!   comes another. After a late one, the next waits until the late rate allows it.

mod bucket;
mod change;
mod class;
mod collisions;
mod histogram;
mod latencies;
mod process;
mod rates;
mod turns;
mod units;

use crate::Instant;
use crate::instant::saturating_nanos;
use std::time::Duration;

use bucket::Bucket;
use class::{CLASSES, Class, class_of};
pub(crate) use collisions::Meeting;
pub use histogram::LONGEST_MARGIN;
pub use process::ProcessBudget;
pub use rates::{Budget, LateRate};
use turns::Turns;

/// One finished wait, for [`Margin::learn`]. You need it only for waits without a
/// [`Sleeper`](crate::Sleeper).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Observation {
    /// From the call to the deadline.
    pub wait: Duration,
    /// How long after the instant asked for the system's own wait ended. `None` when the whole
    /// wait was spun, or it was cancelled.
    pub latency: Option<Duration>,
    /// How long the wait spun, until its deadline at the most.
    pub spun: Duration,
    /// How late the wait ended. If it spun and still ended late, the thread had lost its processor
    /// while it spun.
    pub lateness: Duration,
    /// Since the end of the wait before this one, or since this one began if it is the first: what
    /// the budget is a share of.
    pub elapsed: Duration,
}

impl Observation {
    /// Of a wait that was cancelled before it spun, until something else is said.
    pub fn new(wait: Duration, elapsed: Duration) -> Self {
        Self {
            wait,
            latency: None,
            spun: Duration::ZERO,
            lateness: Duration::ZERO,
            elapsed,
        }
    }

    /// Sets how long after the requested instant the system's own wait ended.
    #[must_use]
    pub fn with_latency(mut self, latency: Duration) -> Self {
        self.latency = Some(latency);
        self
    }

    /// Sets how long the wait spun, until its deadline at the most.
    #[must_use]
    pub fn with_spun(mut self, spun: Duration) -> Self {
        self.spun = spun;
        self
    }

    /// Sets how late the wait ended.
    #[must_use]
    pub fn with_lateness(mut self, lateness: Duration) -> Self {
        self.lateness = lateness;
        self
    }
}

/// Learns how long before its deadline a wait should be woken.
///
/// It reads no clock and does no I/O: the same observations give the same margins. Call
/// [`before`](Self::before) when a wait begins and [`learn`](Self::learn) when it has ended.
///
/// It allocates twelve kilobytes, once, when it is made. A program whose waits all have the same
/// length touches an eighth of them. [`coarse`](Self::coarse) and [`fixed`](Self::fixed) margins
/// allocate nothing.
#[derive(Debug, Clone)]
pub struct Margin {
    rule: Rule,
}

#[derive(Debug, Clone)]
enum Rule {
    /// Nanoseconds; zero never spins.
    Fixed(u64),
    Learned(Learned),
}

#[derive(Debug, Clone)]
struct Learned {
    late_rate: LateRate,
    /// `None`: without limit.
    budget: Option<Bucket>,
    turns: Turns,
    /// Waits that it might have learned from, less those that it has: below one.
    due: f64,
    /// Waits to come before it looks again whether the process has anything left.
    resting: u64,
    /// One for each class of wait lengths.
    classes: Box<[Class]>,
}

/// A spin that ends no later than this, in nanoseconds, has kept its processor: it takes some tens
/// of nanoseconds to read a clock, and an interrupt takes microseconds.
const PUNCTUAL: u64 = 1_000;

/// The part of its waits that a sleeper learns from, however little it may spin.
const LEAST_LEARNED: f64 = 1.0 / 16.0;

/// For so many waits, on average, a sleeper is coarse if the process has spent everything. So many sleepers cannot even pay
/// for what they learn.
const REST: u64 = 16;

/// For how many waits a sleeper is coarse that finds everything spent at an instant. If it were the same for all, those in
/// step would all come back for the same deadline.
fn rest(now: Instant) -> u64 {
    let microseconds = now.as_nanos() / 1_000;
    REST / 2 + microseconds % (REST + 1)
}

/// What a wait costs beside its spin, in nanoseconds, where many sleepers share a budget, so that what one needs to choose
/// its margin is in no cache: with five hundred, measured.
const LEARNING: u64 = 1_000;

/// What it costs, in nanoseconds, that two sleepers meet on a processor: a dispatch more, and an interrupt that a spin takes and
/// not the idle processor or another program. With five hundred beside two that compute, measured.
const CROSSING: u64 = 10_000;

/// What other sleepers of the process did to a wait.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Company {
    /// It met one that was not in step with it.
    pub(crate) crossed: bool,
    /// It ended late because of one.
    pub(crate) made_late: bool,
}

impl Margin {
    /// Aims for `late_rate` and never spins more than `budget`.
    ///
    /// After any number of waits, the time spun is at most the budget's share of the elapsed time plus
    /// [`Budget::burst`]. This holds if no wait spins longer than its margin or begins before the
    /// previous one has ended. If a wait does spin longer, later waits spin less.
    pub fn new(late_rate: LateRate, budget: Budget) -> Self {
        Self::learned(late_rate, Some(Bucket::new(budget)))
    }

    /// Aims for `late_rate`, and shares the [budget of the process](ProcessBudget) with other margins. A
    /// [`Sleeper`](crate::Sleeper) knows that budget. Without one, the margin has the default budget for itself.
    pub fn sharing(late_rate: LateRate) -> Self {
        Self::learned(late_rate, Some(Bucket::shared()))
    }

    /// Never spins: the margin is always zero.
    pub fn coarse() -> Self {
        Self {
            rule: Rule::Fixed(0),
        }
    }

    /// Hardly ever late: the least late rate ([`LateRate::LEAST`]) and no budget.
    ///
    /// A single wait still spins no longer than [`LONGEST_MARGIN`]. If the system is sometimes later
    /// than the wait is long, nearly every wait is spun from beginning to end.
    pub fn exact() -> Self {
        Self::learned(LateRate::LEAST, None)
    }

    /// A fixed margin: it learns nothing and has no budget. Use it if you have measured the machine,
    /// or need spins of equal length.
    ///
    /// Waits that are no longer than the margin are spun from beginning to end. A longer margin than
    /// [`LONGEST_MARGIN`] is shortened to that. A margin of zero is [coarse](Self::coarse).
    ///
    /// ```
    /// use punctual::{Margin, Sleeper};
    /// use std::time::Duration;
    ///
    /// // The default of the crate spin_sleep: 125 µs on Unix, 1 ms on Windows.
    /// let mut sleeper = Sleeper::new().with_margin(Margin::fixed(Duration::from_micros(125)));
    /// sleeper.sleep(Duration::from_millis(1));
    /// ```
    pub fn fixed(margin: Duration) -> Self {
        Self {
            rule: Rule::Fixed(saturating_nanos(margin.min(LONGEST_MARGIN))),
        }
    }

    fn learned(late_rate: LateRate, budget: Option<Bucket>) -> Self {
        Self {
            rule: Rule::Learned(Learned {
                late_rate,
                budget,
                turns: Turns::default(),
                due: 0.0,
                resting: 0,
                classes: (0..CLASSES).map(|_| Class::new(late_rate)).collect(),
            }),
        }
    }

    /// Whether it is always zero, so that no wait ever spins: [coarse](Self::coarse).
    pub fn is_coarse(&self) -> bool {
        matches!(self.rule, Rule::Fixed(0))
    }

    /// The late rate that it aims for; `None` if it is [coarse](Self::coarse) or
    /// [fixed](Self::fixed).
    pub fn late_rate(&self) -> Option<LateRate> {
        match &self.rule {
            Rule::Fixed(_) => None,
            Rule::Learned(learned) => Some(learned.late_rate),
        }
    }

    /// The processor budget; `None` if it is [coarse](Self::coarse), [fixed](Self::fixed) or
    /// [exact](Self::exact).
    pub fn budget(&self) -> Option<Budget> {
        match &self.rule {
            Rule::Fixed(_) => None,
            Rule::Learned(learned) => learned.budget.as_ref().map(Bucket::budget),
        }
    }

    /// Whether it [shares](Self::sharing) the budget of the process.
    pub fn shares_budget(&self) -> bool {
        match &self.rule {
            Rule::Fixed(_) => false,
            Rule::Learned(learned) => learned.budget.as_ref().is_some_and(Bucket::is_shared),
        }
    }

    /// Aims for [fewer late waits](LateRate::OFF_TICKS) from now on, if its program left both the late rate and the budget to
    /// the default.
    pub(crate) fn keep_off_ticks(&mut self) {
        let left_to_default = self.shares_budget() && self.late_rate() == Some(LateRate::default());
        let Rule::Learned(learned) = &mut self.rule else {
            return;
        };
        if left_to_default {
            learned.late_rate = LateRate::OFF_TICKS;
            for class in &mut learned.classes {
                class.aim_at(LateRate::OFF_TICKS);
            }
        }
    }

    /// Whether it looks what others who share its budget do: not while it is coarse because everything is spent.
    pub(crate) fn minds_others(&self) -> bool {
        self.shares_budget() && !matches!(&self.rule, Rule::Learned(learned) if learned.resting > 0)
    }

    /// How long before its deadline a wait of this length should be woken.
    ///
    /// If it is zero, do not spin. If it is as long as the wait or longer, spin for all of it.
    pub fn before(&self, wait: Duration) -> Duration {
        Duration::from_nanos(match &self.rule {
            Rule::Fixed(margin) => *margin,
            Rule::Learned(learned) => learned.before(saturating_nanos(wait)),
        })
    }

    /// Learns from a finished wait.
    pub fn learn(&mut self, observation: Observation) {
        self.learn_or_pay(observation, true);
    }

    /// Counts what a finished wait has spun, and learns from it if it teaches something.
    pub(crate) fn learn_or_pay(&mut self, observation: Observation, teaches: bool) {
        if let Rule::Learned(learned) = &mut self.rule {
            learned.learn(observation, teaches);
        }
    }

    /// Before a wait: takes over what the process leaves, if it shares its budget, after it has paid for the wait
    /// before. That may have ended late because of another sleeper.
    pub(crate) fn share(
        &mut self,
        process: &ProcessBudget,
        now: Instant,
        before: Option<(Observation, Company)>,
    ) {
        let Rule::Learned(learned) = &mut self.rule else {
            return;
        };
        if !learned.budget.as_ref().is_some_and(Bucket::is_shared) {
            return;
        }
        learned.resting = learned.resting.saturating_sub(1);
        if learned.resting > 0 {
            // Nothing was spun, so there is nothing to pay.
            return;
        }
        if let Some((wait, company)) = before {
            let is_crowded = learned.budget.as_ref().is_some_and(Bucket::is_crowded);
            let beside = match company {
                _ if !is_crowded => 0,
                Company { crossed: true, .. } => LEARNING + CROSSING,
                Company { .. } => LEARNING,
            };
            process.spend(now, saturating_nanos(wait.spun).saturating_add(beside));
            let is_victim = company.made_late && wait.lateness > learned.usual(wait.wait);
            process.collisions.count(is_victim);
        }
        if let Some(bucket) = &mut learned.budget {
            bucket.adopt(process.leave(now));
            if bucket.is_in_debt() {
                learned.resting = rest(now);
            }
        }
    }
}

impl Learned {
    /// In nanoseconds.
    fn before(&self, wait: u64) -> u64 {
        if self.resting > 0 {
            return 0;
        }
        let affordable = self
            .budget
            .as_ref()
            .map_or(u64::MAX, |bucket| bucket.available(wait));
        self.informed(class_of(wait)).margin(wait).min(affordable)
    }

    /// How late the system wakes such waits at the most, but for the late rate.
    fn usual(&self, wait: Duration) -> Duration {
        let class = self.informed(class_of(saturating_nanos(wait)));
        Duration::from_nanos(class.usual())
    }

    fn learn(&mut self, observation: Observation, teaches: bool) {
        if let Some(bucket) = &mut self.budget {
            bucket.settle(
                saturating_nanos(observation.elapsed),
                saturating_nanos(observation.spun),
            );
        }
        if self.resting > 0 {
            return;
        }
        let wait = saturating_nanos(observation.wait);
        let index = class_of(wait);
        let teaches = teaches && self.is_due(index);
        let (spun, lateness) = (
            saturating_nanos(observation.spun),
            saturating_nanos(observation.lateness),
        );
        if teaches {
            self.turns.learn(spun, lateness);
        }
        let spun_whole = observation.latency.is_none() && !observation.spun.is_zero();
        let was_cancelled = observation.latency.is_none() && !spun_whole;
        if wait == 0 || was_cancelled {
            return;
        }
        self.introduce(index);
        let class = &mut self.classes[index];
        let lost = spun > 0 && lateness > PUNCTUAL;
        if teaches {
            class.learn(wait, observation.latency.map(saturating_nanos), lost);
            class.bear(&self.turns);
        }
        if let Some(bucket) = &self.budget {
            class.fit(bucket, saturating_nanos(observation.elapsed));
        }
    }

    /// What the process leaves it of its own budget.
    fn part(&self) -> f64 {
        self.budget.as_ref().map_or(1.0, Bucket::part)
    }

    /// Whether to learn from a wait of this class. Of many sleepers that share a budget each uses but a part of what it
    /// knows, and learning costs as much as a short spin: so it learns from that part of its waits.
    fn is_due(&mut self, index: usize) -> bool {
        self.due += self.part().max(LEAST_LEARNED);
        if self.due < 1.0 && !self.classes[index].is_young() {
            return false;
        }
        self.due = (self.due - 1.0).max(0.0);
        true
    }

    /// The class itself if it has waits of its own, else the nearest that has some, the shorter of
    /// two; else itself.
    fn informed(&self, index: usize) -> &Class {
        (0..self.classes.len())
            .flat_map(|distance| [index.checked_sub(distance), index.checked_add(distance)])
            .flatten()
            .filter_map(|near| self.classes.get(near))
            .find(|class| !class.is_new())
            .unwrap_or(&self.classes[index])
    }

    /// Gives a class without waits of its own what the nearest class knows.
    fn introduce(&mut self, index: usize) {
        if !self.classes[index].is_new() {
            return;
        }
        let known = self.informed(index);
        if !known.is_new() {
            self.classes[index] = known.hint();
        }
    }
}

impl Default for Margin {
    /// A late rate of 1 %, and the [budget of the process](ProcessBudget), which is 5 % unless the program says
    /// otherwise.
    fn default() -> Self {
        Self::sharing(LateRate::default())
    }
}

#[cfg(test)]
mod tests;
