//! The budget of a process: what all its sleepers together may spin.

use super::collisions::Collisions;
use super::rates::{BURST_NANOS, Budget};
use super::units::{nearest, signed, whole};
use crate::Instant;
use std::sync::atomic::{AtomicU64, Ordering};

/// The processor budget that the sleepers of a process share.
///
/// A [`Sleeper`](crate::Sleeper) whose program names no budget for it draws on this one, so that all of them
/// together spin no more of the time than its share of *one* processor: 5 %, until the program sets another. While
/// they ask for less, none notices the others. When they ask for more, each gets shorter margins, so that more of
/// their waits end late. So it is, too, when one in a thousand waits ends later than without any spin because another
/// sleeper had the processor. A sleeper that [names a budget](crate::Sleeper::aiming_at) has that for itself.
///
/// [`Os::process_budget`](crate::Os::process_budget) returns it. A library that is loaded twice into a process has
/// two.
///
/// ```
/// use punctual::margin::Budget;
/// use punctual::{Native, Os};
///
/// # fn main() -> Result<(), punctual::Error> {
/// // This program has nothing else to do: its loops may use a fifth of a processor.
/// Native::new().process_budget().set(Budget::new(0.2)?);
/// # Native::new().process_budget().set(Budget::default());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct ProcessBudget {
    /// The share of time, as the bits of a float.
    share: AtomicU64,
    /// The instant up to which time is spent, each nanosecond of spinning as many as earn it. Counted from
    /// [`MEMORY`] before the clock's zero, so that a machine that has just started has a past to spend.
    spent: AtomicU64,
    pub(crate) collisions: Collisions,
}

/// How long unspent time can be spent later. Twice as long as a sleeper's own budget lasts: one sleeper alone runs
/// into its own first, and never notices this one.
const MEMORY: u64 = 2 * BURST_NANOS;

/// Below this level, time is dear.
const DEAR: f64 = 0.5;

/// How much dearer each further part makes it: at level zero by 10,000. So five hundred sleepers that each ask for all of
/// the budget settle well above zero.
const STEEPNESS: f64 = 18.4;

/// The part of its budget that a sleeper may spend at a level from 0 to 1.
fn part(level: f64) -> f64 {
    (STEEPNESS * (level - DEAR)).exp().min(1.0)
}

/// What a process leaves to one of its sleepers, for now.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Leave {
    /// The budget of the process.
    pub(super) budget: Budget,
    /// The part of what the budget earns that the sleeper may spend.
    pub(super) part: f64,
    /// Nanoseconds of spinning that nothing has spent yet. Below zero if several spent them at once.
    pub(super) unspent: i64,
}

impl ProcessBudget {
    /// The default budget, of which nothing is spent.
    pub fn new() -> Self {
        Self {
            share: AtomicU64::new(Budget::default().share().to_bits()),
            spent: AtomicU64::new(0),
            collisions: Collisions::new(),
        }
    }

    /// The share of time that its sleepers may spin.
    pub fn get(&self) -> Budget {
        Budget::of_share(f64::from_bits(self.share.load(Ordering::Relaxed)))
    }

    /// Sets the share of time that its sleepers may spin, from their next waits on.
    pub fn set(&self, budget: Budget) {
        let share = budget.share().to_bits();
        self.share.store(share, Ordering::Relaxed);
    }

    /// The part of its budget that each sleeper may spend at this instant, from 0 to 1: all of it, unless they
    /// asked for more together lately. For what spins beside them on the same account.
    pub fn part(&self, now: Instant) -> f64 {
        self.leave(now).part
    }

    pub(super) fn leave(&self, now: Instant) -> Leave {
        let budget = self.get();
        let spent = self.spent.load(Ordering::Relaxed);
        let earned = signed(now.as_nanos().saturating_add(MEMORY));
        let unspent = earned.saturating_sub(signed(spent)).min(signed(MEMORY)) as f64;
        Leave {
            budget,
            part: part(unspent / MEMORY as f64) * part(self.collisions.goodwill()),
            unspent: nearest(unspent * budget.share()),
        }
    }

    /// Counts what a sleeper has spun until now.
    pub(super) fn spend(&self, now: Instant, spun: u64) {
        let share = self.get().share();
        if spun == 0 || share == 0.0 {
            return;
        }
        let took = whole(spun as f64 / share);
        // Earned first, then spent, and only what is left is forgotten: so it is for a sleeper's own budget, too.
        let spend = |spent: u64| Some(spent.saturating_add(took).max(now.as_nanos()));
        // It orders nothing else.
        let _ = self
            .spent
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, spend);
    }
}

impl Default for ProcessBudget {
    fn default() -> Self {
        Self::new()
    }
}
