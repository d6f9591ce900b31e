//! One precise sleep at a time: the operating system's wait for most of it, a short spin for the
//! rest.

use crate::Instant;
use crate::cancel::{Cancel, Cancelled};
use crate::margin::{Budget, LateRate, Margin, Observation};
use crate::os::{Native, Os, Woken};
use std::fmt;
use std::time::Duration;

/// Sleeps until a deadline, never less, and for as little longer as its [`Margin`] allows.
///
/// It learns from every wait how late this system wakes this thread, so keep one for as long as the
/// thread that uses it, and do not share one between threads.
///
/// ```
/// use punctual::{Native, Os, Sleeper};
/// use std::time::Duration;
///
/// let os = Native::new();
/// let mut sleeper = Sleeper::new();
/// let deadline = os.now() + Duration::from_millis(2);
/// let wake = sleeper.sleep_until(deadline);
/// assert!(wake.woke >= deadline);
/// println!("late by {:?}, after {:?} of spinning", wake.lateness(), wake.spun);
/// ```
pub struct Sleeper<O: Os = Native> {
    os: O,
    margin: Margin,
    /// Where the last wait ended: the processor budget is a share of the time since.
    last_end: Option<Instant>,
    /// What the last wait taught, digested when the next one begins: between a deadline and the
    /// caller's work not a nanosecond is spent on learning.
    lesson: Option<Observation>,
    /// Never rung: what a wait that nobody can cancel waits on.
    silent_bell: O::Bell,
}

/// What happened in a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wake {
    /// When it should have ended.
    pub deadline: Instant,
    /// When it did: the reading of the clock that ended it, never before the deadline.
    pub woke: Instant,
    /// Time spent in the system's wait.
    pub slept: Duration,
    /// Time spent spinning.
    pub spun: Duration,
}

impl Wake {
    /// How late the wait ended.
    pub fn lateness(&self) -> Duration {
        self.woke.since(self.deadline)
    }
}

impl Sleeper {
    /// A sleeper on the machine this program runs on, with the default [`Margin`]: at most 1 % of
    /// waits end late, and at most 5 % of the time is spun.
    ///
    /// # Panics
    /// On systems that are not supported yet; see [`Native::new`].
    pub fn new() -> Self {
        Self::on(Native::new())
    }
}

impl Default for Sleeper {
    fn default() -> Self {
        Self::new()
    }
}

impl<O: Os> Sleeper<O> {
    /// A sleeper on the given machine.
    pub fn on(os: O) -> Self {
        let silent_bell = os.bell();
        Self {
            os,
            margin: Margin::default(),
            last_end: None,
            lesson: None,
            silent_bell,
        }
    }

    /// States both wishes: how often a wait may end late, and how much of the time may be spun.
    #[must_use]
    pub fn aiming_at(self, late_rate: LateRate, budget: Budget) -> Self {
        self.with_margin(Margin::new(late_rate, budget))
    }

    /// Never spins: every wait ends as late as the system ends it.
    #[must_use]
    pub fn coarse(self) -> Self {
        self.with_margin(Margin::coarse())
    }

    /// Spins for as long as precision needs, whatever it costs.
    #[must_use]
    pub fn exact(self) -> Self {
        self.with_margin(Margin::exact())
    }

    /// Replaces the margin, and with it all that was learned.
    #[must_use]
    pub fn with_margin(mut self, margin: Margin) -> Self {
        self.margin = margin;
        self.lesson = None;
        self
    }

    /// The machine it sleeps on.
    pub fn os(&self) -> &O {
        &self.os
    }

    /// What it has learned from all waits but the last.
    pub fn margin(&self) -> &Margin {
        &self.margin
    }

    /// Leaves the time since the last wait out of the account for the processor budget: for a loop
    /// that was paused, and should not spend afterwards what it did not use meanwhile.
    pub fn resume(&mut self) {
        self.last_end = self.last_end.and(Some(self.os.now()));
    }

    /// Sleeps for a while, measured from this call.
    pub fn sleep(&mut self, duration: Duration) -> Wake {
        let deadline = self.os.now() + duration;
        self.sleep_until(deadline)
    }

    /// Sleeps until a deadline. One that has passed costs a look at the clock and no system call.
    pub fn sleep_until(&mut self, deadline: Instant) -> Wake {
        let bell = self.silent_bell.clone();
        match self.sleep_on(deadline, &bell) {
            Ok(wake) => wake,
            Err(Cancelled) => unreachable!("the bell is this sleeper's own and nobody rings it"),
        }
    }

    /// As [`sleep`](Self::sleep), unless it is cancelled.
    ///
    /// # Errors
    /// [`Cancelled`], as for [`sleep_until_unless`](Self::sleep_until_unless).
    pub fn sleep_unless(
        &mut self,
        duration: Duration,
        cancel: &Cancel<O>,
    ) -> Result<Wake, Cancelled> {
        let deadline = self.os.now() + duration;
        self.sleep_until_unless(deadline, cancel)
    }

    /// As [`sleep_until`](Self::sleep_until), unless it is cancelled.
    ///
    /// Cancelling ends the system's wait at once. A spin that has begun is finished, so a wait
    /// cancelled within a margin of its deadline may complete instead.
    ///
    /// # Errors
    /// [`Cancelled`] if it was, before or during the wait, and the deadline had not come.
    pub fn sleep_until_unless(
        &mut self,
        deadline: Instant,
        cancel: &Cancel<O>,
    ) -> Result<Wake, Cancelled> {
        self.sleep_on(deadline, cancel.bell())
    }

    fn sleep_on(&mut self, deadline: Instant, bell: &O::Bell) -> Result<Wake, Cancelled> {
        let began = self.os.now();
        if began >= deadline {
            return Ok(Wake {
                deadline,
                woke: began,
                slept: Duration::ZERO,
                spun: Duration::ZERO,
            });
        }
        if let Some(lesson) = self.lesson.take() {
            self.margin.learn(lesson);
        }
        let wait = deadline.since(began);
        let alarm = deadline - self.margin.before(wait);
        let woken = self.system_wait(began, alarm, bell);
        let rested = woken.unwrap_or(began);
        let cancelled = rested < deadline && self.os.is_rung(bell);
        let woke = if cancelled || rested >= deadline {
            rested
        } else {
            self.os.spin_until(deadline)
        };
        let wake = Wake {
            deadline,
            woke,
            slept: rested.since(began),
            spun: woke.since(rested),
        };
        let last_end = self.last_end.replace(woke).unwrap_or(began);
        self.lesson = Some(Observation {
            wait,
            latency: woken.filter(|_| !cancelled).map(|woken| woken.since(alarm)),
            spun: wake.spun,
            elapsed: woke.since(last_end),
        });
        if cancelled { Err(Cancelled) } else { Ok(wake) }
    }

    /// Waits until the alarm has come or the bell is rung. `None` if the alarm has already come,
    /// and there is nothing to ask the system for.
    fn system_wait(&self, began: Instant, alarm: Instant, bell: &O::Bell) -> Option<Instant> {
        if alarm <= began {
            return None;
        }
        loop {
            let woken = self.os.wait(Some(alarm), Duration::ZERO, bell);
            let now = self.os.now();
            if now >= alarm || woken == Woken::ByBell {
                return Some(now);
            }
        }
    }
}

impl<O: Os> fmt::Debug for Sleeper<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sleeper")
            .field("margin", &self.margin)
            .finish_non_exhaustive()
    }
}
