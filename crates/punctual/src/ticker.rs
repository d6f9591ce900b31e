//! A periodic loop that does not drift.

use crate::cancel::{Cancel, Cancelled};
use crate::os::{Native, Os};
use crate::{Instant, Period, Sleeper};
use std::fmt;
use std::time::Duration;

/// Wakes once a [`Period`], for ever, on a schedule that nothing moves.
///
/// The first tick, number 0, is the start itself. A tick whose deadline has already passed when it
/// is asked for costs no system call; what happens to the periods that went by meanwhile is for
/// [`MissedTicks`] to say.
///
/// It is an iterator, which ends only when it is [cancelled](Ticker::cancelled_by) or past the end
/// of 64-bit time; [`tick`](Ticker::tick) says which.
///
/// ```
/// use punctual::{Period, Ticker};
///
/// let mut missed = 0;
/// for tick in Ticker::new(Period::from_hertz(1_000)?).take(5) {
///     missed += tick.missed;
/// }
/// # let _ = missed;
/// # Ok::<(), punctual::Error>(())
/// ```
#[derive(Debug)]
pub struct Ticker<O: Os = Native> {
    sleeper: Sleeper<O>,
    period: Period,
    missed_ticks: MissedTicks,
    cancel: Option<Cancel<O>>,
    /// Where the schedule starts: the tick numbered `first` is at `start`. Unset until the first
    /// tick is asked for, unless the caller chose.
    start: Option<Instant>,
    first: u64,
    next: u64,
}

/// What becomes of periods whose deadlines passed while nobody waited for them.
///
/// The names are tokio's, and so is the instant at which each tick comes. There is no hidden
/// threshold: being late by a nanosecond is being late.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MissedTicks {
    /// Every period gets its tick: those that passed come at once, one after the other, until the
    /// schedule is caught up with. For counting work that must all be done.
    Burst,
    /// The tick that passed comes at once and the schedule restarts there. For leaving at least a
    /// period between ticks.
    Delay,
    /// The last period that passed gets its tick at once and those before it get none; the schedule
    /// stays. For whoever renders or mixes audio.
    #[default]
    Skip,
}

/// One tick of a [`Ticker`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tick {
    /// The number of its period, from 0. With [`MissedTicks::Skip`] numbers of missed periods are
    /// left out.
    pub index: u64,
    /// When it should have come.
    pub scheduled: Instant,
    /// When it did.
    pub woke: Instant,
    /// How many periods before this one passed without a tick of their own since the last tick.
    pub missed: u64,
}

impl Tick {
    /// How late it came.
    pub fn lateness(&self) -> Duration {
        self.woke.since(self.scheduled)
    }
}

/// Why a [`Ticker`] has no next tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Somebody cancelled it.
    Cancelled,
    /// The next deadline is past what 64 bits of nanoseconds can say.
    EndOfTime,
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cancelled => "the ticker was cancelled",
            Self::EndOfTime => "the next tick is past the end of 64-bit time",
        })
    }
}

impl std::error::Error for Ended {}

impl From<Cancelled> for Ended {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl Ticker {
    /// A ticker on the machine this program runs on.
    ///
    /// # Panics
    /// On systems that are not supported yet; see [`Native::new`].
    pub fn new(period: Period) -> Self {
        Self::with_sleeper(Sleeper::new(), period)
    }
}

impl<O: Os> Ticker<O> {
    /// A ticker that waits with the given sleeper: on its machine, as precisely as it does.
    pub fn with_sleeper(sleeper: Sleeper<O>, period: Period) -> Self {
        Self {
            sleeper,
            period,
            missed_ticks: MissedTicks::default(),
            cancel: None,
            start: None,
            first: 0,
            next: 0,
        }
    }

    /// Says what becomes of missed periods.
    #[must_use]
    pub fn missed_ticks(mut self, missed_ticks: MissedTicks) -> Self {
        self.missed_ticks = missed_ticks;
        self
    }

    /// Puts tick 0 at an instant of the caller's instead of where it is first asked for.
    #[must_use]
    pub fn starting_at(mut self, start: Instant) -> Self {
        self.start = Some(start);
        self
    }

    /// Lets another thread end it.
    #[must_use]
    pub fn cancelled_by(mut self, cancel: Cancel<O>) -> Self {
        self.cancel = Some(cancel);
        self
    }

    /// The period it keeps.
    pub fn period(&self) -> Period {
        self.period
    }

    /// Waits for the next tick.
    ///
    /// # Errors
    /// [`Ended`] when there is none.
    pub fn tick(&mut self) -> Result<Tick, Ended> {
        let now = self.sleeper.os().now();
        let start = *self.start.get_or_insert(now);
        let scheduled = self.deadline(start, self.next)?;
        if now < scheduled {
            self.tick_to_come(scheduled)
        } else {
            self.ensure_not_cancelled()?;
            self.tick_overdue(start, scheduled, now)
        }
    }

    fn deadline(&self, start: Instant, index: u64) -> Result<Instant, Ended> {
        // The last index there is stands for the end, so that the count cannot overflow.
        if index == u64::MAX {
            return Err(Ended::EndOfTime);
        }
        let deadline = self.period.deadline(start, index - self.first);
        deadline.ok_or(Ended::EndOfTime)
    }

    fn tick_to_come(&mut self, scheduled: Instant) -> Result<Tick, Ended> {
        let wake = match &self.cancel {
            Some(cancel) => self.sleeper.sleep_until_unless(scheduled, cancel)?,
            None => self.sleeper.sleep_until(scheduled),
        };
        Ok(self.take(scheduled, wake.woke, 0))
    }

    fn ensure_not_cancelled(&self) -> Result<(), Ended> {
        match &self.cancel {
            Some(cancel) if cancel.is_cancelled() => Err(Ended::Cancelled),
            _ => Ok(()),
        }
    }

    fn tick_overdue(
        &mut self,
        start: Instant,
        scheduled: Instant,
        now: Instant,
    ) -> Result<Tick, Ended> {
        match self.missed_ticks {
            MissedTicks::Burst => Ok(self.take(scheduled, now, 0)),
            MissedTicks::Delay => {
                let missed = self.period.index_after(now.since(scheduled));
                (self.start, self.first) = (Some(now), self.next);
                Ok(self.take(scheduled, now, missed))
            }
            MissedTicks::Skip => {
                let since_start = self.period.index_after(now.since(start));
                let last_due = self.first.saturating_add(since_start);
                let missed = last_due - self.next;
                self.next = last_due;
                let scheduled = self.deadline(start, last_due)?;
                Ok(self.take(scheduled, now, missed))
            }
        }
    }

    fn take(&mut self, scheduled: Instant, woke: Instant, missed: u64) -> Tick {
        let index = self.next;
        self.next = self.next.saturating_add(1);
        Tick {
            index,
            scheduled,
            woke,
            missed,
        }
    }
}

impl<O: Os> Iterator for Ticker<O> {
    type Item = Tick;

    fn next(&mut self) -> Option<Tick> {
        self.tick().ok()
    }
}
