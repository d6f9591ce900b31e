//! How early to ask for the interpreter's lock: learned from the time that it took.
//!
//! A thread that computes gives up the lock one switch interval after another thread has asked for it,
//! and hardly later. So the time is known beforehand, and a wait that asks earlier by as much has the
//! lock when its deadline comes. The time until the deadline is then spun, because a thread that gives
//! up the lock once more waits for it once more. The processor budget pays for that.

use std::time::Duration;

/// A lock that came sooner than this was free: what is left is the time in which a mutex is locked and
/// a thread loses its processor now and then.
const FREE: Duration = Duration::from_micros(100);

/// The lead is at most the switch interval and this much: the thread that computes has to finish its
/// bytecode, and two threads have to wake. A lock that takes longer is held by a call into C, or taken
/// by a third thread, and no lead would be long enough.
const HANDOVER: Duration = Duration::from_millis(1);

/// What is remembered: at 100 Hz, two thirds of a second.
const REMEMBERED: usize = 64;

/// The budget saves up its share of this time, as a sleeper's budget does.
const SAVES_FOR: Duration = Duration::from_millis(100);

/// So many waits for which the lock takes too long are no accident, and not those with which a loop of longer periods catches
/// up: at a period that is a tenth above the switch interval it does in some twenty.
const HOPELESS: u32 = 64;

/// A wait that had the lock in time counts as much as so many that had not. On a busy machine the thread that computes may not
/// have woken to take it.
const HOPEFUL: u32 = 4;

/// Learns how early to ask for a lock.
#[derive(Debug, Clone)]
pub struct Lead {
    /// The share of time that may be spent spinning because it came early; `None` for no limit.
    budget: Option<f64>,
    /// The part of it that others of the process leave.
    part: f64,
    /// How long the lock took lately, in a ring. Zero if it was free.
    took: [Duration; REMEMBERED],
    next: usize,
    longest: Duration,
    /// What took no longer than this was free.
    free: Duration,
    /// What is left of the budget.
    saved: Duration,
    /// How many waits were shorter than the switch interval and than the lock took, less those that had it in time.
    too_short: u32,
}

impl Lead {
    /// Nothing is known yet, so the lock is thought to be free.
    pub fn new(budget: Option<f64>) -> Self {
        Self {
            budget,
            part: 1.0,
            took: [Duration::ZERO; REMEMBERED],
            next: 0,
            longest: Duration::ZERO,
            free: FREE,
            saved: SAVES_FOR.mul_f64(budget.unwrap_or_default()),
            too_short: 0,
        }
    }

    /// For an event loop, which always takes some time.
    pub fn of_loop(budget: f64) -> Self {
        Self {
            free: Duration::ZERO,
            ..Self::new(Some(budget))
        }
    }

    /// From here on it may spend this part of its budget, from 0 to 1.
    pub fn draw_on(&mut self, part: f64) {
        self.part = part;
    }

    /// Whether the lock was taken when it was asked for lately.
    pub fn is_contended(&self) -> bool {
        !self.longest.is_zero()
    }

    /// How early to ask for the lock in a wait of this length. Zero if the lock was free lately.
    ///
    /// It is the longest of the times that the lock took lately, or else the longest for which the
    /// budget pays: the shorter times end in a spin.
    pub fn before(&self, wait: Duration) -> Duration {
        let Some(budget) = self.budget else {
            return self.longest;
        };
        if !self.is_contended() {
            return Duration::ZERO;
        }
        let mut taken = self.taken();
        taken.sort_unstable();
        let affordable =
            wait.mul_f64(budget * self.part) * u32::try_from(taken.len()).unwrap_or(u32::MAX);
        let (mut lead, mut sum) = (Duration::ZERO, Duration::ZERO);
        for (shorter, took) in (0..).zip(taken) {
            // With this lead, so much would have been spun after those that took less.
            if (took * shorter).saturating_sub(sum) > affordable {
                break;
            }
            lead = took;
            sum += took;
        }
        lead
    }

    /// Whether the budget pays for a spin if the lock comes this early.
    pub fn affords(&self, early: Duration) -> bool {
        self.budget.is_none() || early <= self.saved
    }

    /// Learns how long the lock took, and returns whether another thread had it: one that has let it go at once, or the time
    /// says so. `interval` says after which time a thread that computes is asked to give it up; it is called only if the lock
    /// was not free.
    pub fn learn(
        &mut self,
        took: Duration,
        was_let_go: bool,
        interval: impl FnOnce() -> Duration,
    ) -> bool {
        let was_taken = was_let_go || took > self.free;
        if was_taken || self.is_contended() {
            self.took[self.next] = match was_taken {
                true => took.min(interval() + HANDOVER),
                false => Duration::ZERO,
            };
            self.next = (self.next + 1) % REMEMBERED;
            self.longest = self.took.into_iter().max().unwrap_or_default();
        }
        was_taken
    }

    /// Accounts for a wait: what the time since the one before has earned, and what was spun because
    /// the lock came early.
    pub fn spend(&mut self, elapsed: Duration, early: Duration) {
        if let Some(budget) = self.budget {
            let most = SAVES_FOR.mul_f64(budget);
            let earned = elapsed.mul_f64(budget * self.part);
            self.saved = (self.saved + earned).min(most).saturating_sub(early);
        }
    }

    /// Whether so many waits were too short for any lead that the program should know. True once for each time that this
    /// becomes so. `interval` is called only if the lock was not free.
    pub fn helps_no_more(
        &mut self,
        wait: Duration,
        took: Duration,
        interval: impl FnOnce() -> Duration,
    ) -> bool {
        if self.is_contended() && took > wait && wait < interval() {
            self.too_short = self.too_short.saturating_add(1);
            return self.too_short == HOPELESS;
        }
        self.too_short = self.too_short.saturating_sub(HOPEFUL);
        false
    }

    fn taken(&self) -> Vec<Duration> {
        let taken = self.took.iter().copied();
        taken.filter(|took| !took.is_zero()).collect()
    }
}

#[cfg(test)]
mod tests;
