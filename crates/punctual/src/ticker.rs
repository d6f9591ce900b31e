//! A periodic loop that does not drift.

use crate::cancel::{Cancel, Cancelled};
use crate::os::{Native, Os};
use crate::period::{period_of, try_period_of};
use crate::{Error, Instant, MissedTicks, Period, Schedule, Sleeper, Tick};
use std::fmt;

/// Wakes once a [`Period`], for ever, on a schedule that nothing moves.
///
/// The first tick, number 0, is the start itself. A tick whose deadline has already passed when it
/// is asked for costs no system call; what happens to the periods that went by meanwhile is for
/// [`MissedTicks`] to say.
///
/// # Where it starts
///
/// Unless it [is told](Ticker::starting_at), a ticker starts where its first tick is asked for. There is
/// one exception. On a Windows without high-resolution timers (before Windows 10 version 1803) waits
/// end with timer interrupts, one a millisecond. If the period is a whole number of milliseconds, and
/// at most two default intervals of 15.6 ms, the ticker waits for an interrupt and starts there, so that
/// its deadlines lie just after the interrupts. The first tick then comes up to 16 ms after it was
/// asked for; from there on every deadline is exact, as always. The phase lasts as long as
/// interrupts and performance counter keep the same rate; `docs/limits.md` has figures.
///
/// It is an iterator, which ends only when it is [cancelled](Ticker::cancelled_by) or past the end
/// of 64-bit time; [`tick`](Ticker::tick) says which.
///
/// ```
/// use punctual::{Period, Ticker};
///
/// let mut missed = 0;
/// for tick in Ticker::new(Period::from_hertz(1_000)).take(5) {
///     missed += tick.missed;
/// }
/// # let _ = missed;
/// ```
#[derive(Debug)]
pub struct Ticker<O: Os = Native> {
    sleeper: Sleeper<O>,
    cancel: Option<Cancel<O>>,
    schedule: Schedule,
    /// Whether the schedule starts anew where the next tick is asked for.
    starts_when_asked: bool,
}

/// Why a [`Ticker`] has no next tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
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
    /// A ticker on the machine this program runs on. The period is a [`Period`] or a
    /// [`Duration`](std::time::Duration).
    ///
    /// # Panics
    /// For what is no period, such as a duration of zero; [`try_new`](Self::try_new) does not. And
    /// on systems that are not supported yet; see [`Native::new`].
    #[track_caller]
    pub fn new<P: TryInto<Period>>(period: P) -> Self
    where
        Error: From<P::Error>,
    {
        Self::of(Sleeper::new(), period_of(period))
    }

    /// As [`new`](Self::new), for periods and systems that were not looked at before.
    ///
    /// # Errors
    /// [Invalid input](Error::is_invalid_input) for what is no period,
    /// [unsupported](Error::is_unsupported) on systems that are not supported yet.
    pub fn try_new<P: TryInto<Period>>(period: P) -> Result<Self, Error>
    where
        Error: From<P::Error>,
    {
        let period = try_period_of(period)?;
        Ok(Self::of(Sleeper::on(Native::detect()?), period))
    }
}

impl<O: Os> Ticker<O> {
    /// A ticker that waits with the given sleeper: on its machine, as precisely as it does.
    ///
    /// # Panics
    /// For what is no period, such as a duration of zero.
    #[track_caller]
    pub fn with_sleeper<P: TryInto<Period>>(sleeper: Sleeper<O>, period: P) -> Self
    where
        Error: From<P::Error>,
    {
        Self::of(sleeper, period_of(period))
    }

    fn of(sleeper: Sleeper<O>, period: Period) -> Self {
        Self {
            sleeper,
            cancel: None,
            // Where it starts is for the first tick to say.
            schedule: Schedule::new(Instant::ZERO, period),
            starts_when_asked: true,
        }
    }

    /// Says what becomes of missed periods.
    #[must_use]
    pub fn with_missed_ticks(mut self, missed_ticks: MissedTicks) -> Self {
        self.schedule = self.schedule.with_missed_ticks(missed_ticks);
        self
    }

    /// Puts tick 0 at an instant of the caller's instead of where it is first asked for.
    #[must_use]
    pub fn starting_at(mut self, start: Instant) -> Self {
        self.restart_at(start);
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
        self.schedule.period()
    }

    /// Keeps another period from now on, without a jump of the phase: what is left of the present
    /// period passes at the new rate. See [`Schedule::set_period`].
    ///
    /// ```
    /// use punctual::{Period, Ticker};
    ///
    /// let mut frames = Ticker::new(Period::from_hertz(144));
    /// frames.tick()?;
    /// // In the background a game needs fewer frames.
    /// frames.set_period(Period::from_hertz(30));
    /// frames.tick()?;
    /// # Ok::<(), punctual::Ended>(())
    /// ```
    ///
    /// # Panics
    /// For what is no period, such as a duration of zero.
    #[track_caller]
    pub fn set_period<P: TryInto<Period>>(&mut self, period: P)
    where
        Error: From<P::Error>,
    {
        let now = self.sleeper.now();
        self.schedule.set_period(now, period);
    }

    /// Gives back what its sleeper [holds of the system](Sleeper#what-it-holds-of-the-system), until
    /// the next tick: for a loop that pauses. [`restart`](Self::restart) goes on.
    pub fn pause(&mut self) {
        self.sleeper.pause();
    }

    /// Makes the next tick come at once, or where the first would [start](Ticker#where-it-starts), and
    /// those that follow whole periods after it: for a loop that was paused. Ticks are numbered on, and none of the time that went by is missed or earns
    /// budget for spinning.
    pub fn restart(&mut self) {
        self.sleeper.resume();
        self.starts_when_asked = true;
    }

    /// Puts the next tick at an instant, and those that follow whole periods after it.
    pub fn restart_at(&mut self, start: Instant) {
        self.schedule.restart(start);
        self.starts_when_asked = false;
    }

    /// What it waits with: to see what was learned, and to look at the clock.
    pub fn sleeper(&self) -> &Sleeper<O> {
        &self.sleeper
    }

    /// What it waits with, for waits in between.
    pub fn sleeper_mut(&mut self) -> &mut Sleeper<O> {
        &mut self.sleeper
    }

    /// Ends it, and gives its sleeper back with all that it has learned.
    pub fn into_sleeper(self) -> Sleeper<O> {
        self.sleeper
    }

    /// Waits for the next tick.
    ///
    /// # Errors
    /// [`Ended`] when there is none.
    pub fn tick(&mut self) -> Result<Tick, Ended> {
        let mut now = self.sleeper.now();
        if self.starts_when_asked {
            let bell = self.cancel.as_ref().map(Cancel::bell);
            let start = self.sleeper.start_in_phase(now, self.period(), bell)?;
            self.restart_at(start);
            if start != now {
                now = self.sleeper.now();
            }
        }
        let deadline = self.schedule.next_deadline().ok_or(Ended::EndOfTime)?;
        let tick = if now < deadline {
            let wake = match &self.cancel {
                Some(cancel) => self.sleeper.sleep_until_unless(deadline, cancel)?,
                None => self.sleeper.sleep_until(deadline),
            };
            self.schedule.tick(wake.woke)
        } else {
            if self.cancel.as_ref().is_some_and(Cancel::is_cancelled) {
                return Err(Ended::Cancelled);
            }
            self.schedule.overdue_tick(now)
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
