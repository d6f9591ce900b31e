//! How early to be woken, learned from how late the system wakes.
//!
//! A wait that should end exactly at its deadline asks the system to wake it a *margin* early and
//! spins for the rest. Too small a margin and the wait ends late; too large and it burns processor
//! time. [`Margin`] finds the margin from two numbers that a caller can judge: the share of waits
//! that may end late ([`LateRate`]) and the share of time that may be spent spinning ([`Budget`]).
//! It aims for the first and never exceeds the second.
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
//! Latencies go into a histogram of logarithmic bins, one for each class of wait lengths, in which
//! a wait fades once 32 later ones should have been late. The margin is the latency that a certain
//! share of the histogram exceeds. That share is the late rate, corrected by an account of what
//! happened: each late wait beyond the expected number lowers it by a thirty-second, each one short
//! of that number raises it by as much, so the achieved rate is right even where the histogram is a
//! poor forecast. When the account strays further than chance would take it (12 waits), the
//! histogram fades faster. When 12 more waits were late than punctual, or a run of 12 stayed far
//! below what nine in ten used to exceed (38 for one in two, 249 for one in ten), the regime has
//! changed: the histogram starts again from the waits that said so. A latency that stands alone is
//! believed up to twice the next smaller one. If the spin that the margin is expected to cost does
//! not fit the budget, the margin is the one that makes the fewest waits late for a cost that fits.
//! Behind that forecast stands a token bucket, which no sequence of latencies can overdraw.
//!
//! If the margin does not fit in the wait either, the wait is spun from beginning to end. Nothing
//! is learned from that, so such a wait is sometimes *probed*: the system is trusted with half of
//! it. A probe that ends in time is followed by another; a late one is not followed by another
//! until the late rate allows for it.

mod bucket;
mod change;
mod class;
mod histogram;
mod latencies;
mod rates;
mod units;

use std::time::Duration;

use bucket::Bucket;
use class::{CLASSES, Class, class_of};
pub use histogram::LONGEST_MARGIN;
pub use rates::{Budget, LateRate};
use units::nanos;

/// One finished wait, as [`Margin::learn`] wants it: for waits that are made without a
/// [`Sleeper`](crate::Sleeper).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Observation {
    /// From the call to the deadline.
    pub wait: Duration,
    /// How long after the instant asked for the system's own wait ended. `None` when the whole
    /// wait was spun, or it was cancelled.
    pub latency: Option<Duration>,
    /// How long the wait spun.
    pub spun: Duration,
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
            elapsed,
        }
    }

    /// Says how long after the instant asked for the system's own wait ended.
    #[must_use]
    pub fn with_latency(mut self, latency: Duration) -> Self {
        self.latency = Some(latency);
        self
    }

    /// Says how long it spun.
    #[must_use]
    pub fn with_spun(mut self, spun: Duration) -> Self {
        self.spun = spun;
        self
    }
}

/// Learns how long before its deadline a wait should be woken.
///
/// It has no clock and does no I/O: the same observations give the same margins. Call
/// [`before`](Self::before) when a wait begins and [`learn`](Self::learn) when it has ended. It
/// holds twelve kilobytes, allocated when it is made and never after, of which a program whose
/// waits are of one length touches an eighth; [`coarse`](Self::coarse) and [`fixed`](Self::fixed)
/// hold none.
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
    /// One for each class of wait lengths.
    classes: Box<[Class]>,
}

impl Margin {
    /// Aims for `late_rate` and never spins more than `budget`.
    ///
    /// The budget is a promise over time: after any number of waits, the time spun is at most the
    /// budget's share of the time elapsed plus [`Budget::burst`], as long as no wait spins
    /// longer than the margin it was given or begins before the last has ended. Of a wait that
    /// does spin longer, later ones make up for the excess.
    pub fn new(late_rate: LateRate, budget: Budget) -> Self {
        Self::learned(late_rate, Some(Bucket::new(budget)))
    }

    /// Never spins: the margin is always zero.
    pub fn coarse() -> Self {
        Self {
            rule: Rule::Fixed(0),
        }
    }

    /// As good as never late: the least late rate there is ([`LateRate::LEAST`]) and no budget.
    ///
    /// A single wait still spins no longer than [`LONGEST_MARGIN`]. Where the system is sometimes
    /// later than the wait is long, nearly every wait is spun from beginning to end.
    pub fn exact() -> Self {
        Self::learned(LateRate::LEAST, None)
    }

    /// Always the same, whatever happens: it learns nothing and keeps to no budget. For who has
    /// measured, or must spin equally long each time.
    ///
    /// Waits that are no longer than the margin are spun from beginning to end. A margin of more
    /// than [`LONGEST_MARGIN`] is that; one of zero is [coarse](Self::coarse).
    ///
    /// ```
    /// use punctual::{Margin, Sleeper};
    /// use std::time::Duration;
    ///
    /// // What the crate spin_sleep does unless told otherwise: 125 µs on Unix, 1 ms on Windows.
    /// let mut sleeper = Sleeper::new().with_margin(Margin::fixed(Duration::from_micros(125)));
    /// sleeper.sleep(Duration::from_millis(1));
    /// ```
    pub fn fixed(margin: Duration) -> Self {
        Self {
            rule: Rule::Fixed(nanos(margin.min(LONGEST_MARGIN))),
        }
    }

    fn learned(late_rate: LateRate, budget: Option<Bucket>) -> Self {
        Self {
            rule: Rule::Learned(Learned {
                late_rate,
                budget,
                classes: (0..CLASSES).map(|_| Class::new(late_rate)).collect(),
            }),
        }
    }

    /// Whether it is always zero, so that no wait ever spins: [coarse](Self::coarse).
    pub fn is_coarse(&self) -> bool {
        matches!(self.rule, Rule::Fixed(0))
    }

    /// The late rate aimed for; `None` if [coarse](Self::coarse) or [fixed](Self::fixed), which aim
    /// for none.
    pub fn late_rate(&self) -> Option<LateRate> {
        match &self.rule {
            Rule::Fixed(_) => None,
            Rule::Learned(learned) => Some(learned.late_rate),
        }
    }

    /// The processor budget; `None` if [coarse](Self::coarse), which needs none, and if
    /// [fixed](Self::fixed) or [exact](Self::exact), which keep to none.
    pub fn budget(&self) -> Option<Budget> {
        match &self.rule {
            Rule::Fixed(_) => None,
            Rule::Learned(learned) => learned.budget.as_ref().map(Bucket::budget),
        }
    }

    /// How long before its deadline a wait of this length should be woken.
    ///
    /// Zero means: do not spin. As long as the wait or longer means: spin all of it.
    pub fn before(&self, wait: Duration) -> Duration {
        Duration::from_nanos(match &self.rule {
            Rule::Fixed(margin) => *margin,
            Rule::Learned(learned) => learned.before(nanos(wait)),
        })
    }

    /// Takes note of how a wait went.
    pub fn learn(&mut self, observation: Observation) {
        if let Rule::Learned(learned) = &mut self.rule {
            learned.learn(observation);
        }
    }
}

impl Learned {
    /// In nanoseconds.
    fn before(&self, wait: u64) -> u64 {
        let affordable = self
            .budget
            .as_ref()
            .map_or(u64::MAX, |bucket| bucket.available(wait));
        self.informed(class_of(wait)).margin(wait).min(affordable)
    }

    fn learn(&mut self, observation: Observation) {
        if let Some(bucket) = &mut self.budget {
            bucket.settle(nanos(observation.elapsed), nanos(observation.spun));
        }
        let wait = nanos(observation.wait);
        let spun_whole = observation.latency.is_none() && !observation.spun.is_zero();
        let was_cancelled = observation.latency.is_none() && !spun_whole;
        if wait == 0 || was_cancelled {
            return;
        }
        let index = class_of(wait);
        self.introduce(index);
        let class = &mut self.classes[index];
        class.learn(wait, observation.latency.map(nanos));
        if let Some(bucket) = &self.budget {
            class.fit(bucket, nanos(observation.elapsed));
        }
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
    /// A late rate of 1 % and a processor budget of 5 %.
    fn default() -> Self {
        Self::new(LateRate::default(), Budget::default())
    }
}

#[cfg(test)]
mod tests;
