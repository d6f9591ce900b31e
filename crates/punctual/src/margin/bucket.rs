//! The hard promise behind the processor budget: a token bucket of spinning time.

use super::process::Leave;
use super::rates::Budget;
use super::units::{signed, whole};
use crate::instant::saturating_nanos;

/// Elapsed time fills it at the budget's share, spinning empties it.
///
/// After every wait the level is at most the level before, plus what the elapsed time earned, less
/// what was spun. It starts at the burst and never falls below zero if no wait spins more than was
/// [available](Self::available). So the sum of what was spun is at most what was earned plus the
/// burst.
#[derive(Debug, Clone)]
pub(super) struct Bucket {
    budget: Budget,
    /// Nanoseconds of spinning. Below zero only if a wait spun longer than its margin; later waits
    /// make up for it.
    level: i64,
    full: i64,
    source: Source,
}

/// Whose the budget is.
#[derive(Debug, Clone, Copy)]
enum Source {
    Own,
    /// The process's, and what it leaves: all of it, until it is asked.
    Shared(Option<Leave>),
}

impl Bucket {
    pub(super) fn new(budget: Budget) -> Self {
        let full = signed(saturating_nanos(budget.burst()));
        Self {
            budget,
            level: full,
            full,
            source: Source::Own,
        }
    }

    pub(super) fn shared() -> Self {
        Self {
            source: Source::Shared(None),
            ..Self::new(Budget::default())
        }
    }

    pub(super) fn budget(&self) -> Budget {
        self.budget
    }

    pub(super) fn is_shared(&self) -> bool {
        matches!(self.source, Source::Shared(_))
    }

    /// Takes over what the process leaves. A changed budget begins with a full bucket.
    pub(super) fn adopt(&mut self, leave: Leave) {
        if leave.budget != self.budget {
            *self = Self::new(leave.budget);
        }
        self.source = Source::Shared(Some(leave));
    }

    /// How long a wait that lasts at least this long may spin, in nanoseconds.
    pub(super) fn available(&self, wait: u64) -> u64 {
        let level = match self.source {
            Source::Shared(Some(leave)) => self.level.min(leave.unspent),
            _ => self.level,
        };
        u64::try_from(level.saturating_add(self.earned(wait))).unwrap_or(0)
    }

    pub(super) fn settle(&mut self, elapsed: u64, spun: u64) {
        self.level = self
            .level
            .saturating_add(self.earned(elapsed))
            .saturating_sub(signed(spun))
            .min(self.full);
    }

    /// How long a wait may spin on average, in nanoseconds, if `elapsed` is what usually passes
    /// from one to the next.
    ///
    /// At half level it is what they earn, in proportion below and above: so the level settles
    /// wherever spending equals earning, and running dry, which would make all waits late until
    /// the bucket refills, does not come suddenly.
    pub(super) fn allowance(&self, elapsed: f64) -> f64 {
        if self.full == 0 {
            return 0.0;
        }
        let earned = self.budget.share() * elapsed;
        self.part() * earned * self.level.max(0) as f64 / (0.5 * self.full as f64)
    }

    /// The part of what it earns that may be spent.
    pub(super) fn part(&self) -> f64 {
        match self.source {
            Source::Shared(Some(leave)) => leave.part,
            _ => 1.0,
        }
    }

    /// Whether others spend what it might, and something is left.
    pub(super) fn is_crowded(&self) -> bool {
        matches!(self.source, Source::Shared(Some(leave)) if leave.part < 1.0 && leave.unspent > 0)
    }

    /// Whether all of them have spent what there is, and more.
    pub(super) fn is_in_debt(&self) -> bool {
        matches!(self.source, Source::Shared(Some(leave)) if leave.unspent < 0)
    }

    fn earned(&self, elapsed: u64) -> i64 {
        signed(whole(self.budget.share() * elapsed as f64))
    }
}
