//! A periodic loop that does not drift.

use crate::cancel::{Cancel, Cancelled};
use crate::os::{Native, Os};
use crate::{Instant, MissedTicks, Period, Schedule, Sleeper, Tick};
use std::fmt;

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
    /// Where the schedule starts, if the caller chose.
    start: Option<Instant>,
    /// Unset until the first tick is asked for.
    schedule: Option<Schedule>,
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
            schedule: None,
        }
    }

    /// Says what becomes of missed periods.
    #[must_use]
    pub fn missed_ticks(mut self, missed_ticks: MissedTicks) -> Self {
        self.missed_ticks = missed_ticks;
        self.schedule = self
            .schedule
            .map(|schedule| schedule.missed_ticks(missed_ticks));
        self
    }

    /// Puts tick 0 at an instant of the caller's instead of where it is first asked for. After the
    /// first tick it has no effect.
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
        let schedule = self.schedule.get_or_insert_with(|| {
            let start = self.start.unwrap_or(now);
            Schedule::new(start, self.period).missed_ticks(self.missed_ticks)
        });
        let scheduled = schedule.next_deadline().ok_or(Ended::EndOfTime)?;
        let tick = if now < scheduled {
            let wake = match &self.cancel {
                Some(cancel) => self.sleeper.sleep_until_unless(scheduled, cancel)?,
                None => self.sleeper.sleep_until(scheduled),
            };
            schedule.tick(wake.woke)
        } else {
            if self.cancel.as_ref().is_some_and(Cancel::is_cancelled) {
                return Err(Ended::Cancelled);
            }
            schedule.overdue_tick(now)
        };
        tick.ok_or(Ended::EndOfTime)
    }
}

impl<O: Os> Iterator for Ticker<O> {
    type Item = Tick;

    fn next(&mut self) -> Option<Tick> {
        self.tick().ok()
    }
}
