//! A periodic loop that does not drift.

use crate::cancel::Cancel;
use crate::ended::Ended;
use crate::os::{Native, Os};
use crate::period::{period_of, try_period_of};
use crate::{Error, Instant, MissedTicks, Period, Phase, Schedule, Signals, Sleeper, Start, Tick};

/// Wakes the thread once per [`Period`], on a schedule that does not drift.
///
/// The first tick, number 0, is the start itself. If the deadline of a tick has already passed, the
/// tick comes at once, without a system call, and [`MissedTicks`] decides about the periods that
/// passed meanwhile.
///
/// # Where it starts
///
/// A ticker starts when its first tick is asked for, unless it is told [where](Ticker::starting_at).
/// There are two exceptions.
///
/// On Linux, the kernel's tick interrupts each busy processor, mostly every 4 ms, for up to some tens of microseconds. A
/// deadline at that instant is often late. If the period and the tick's have a common measure of at least 0.2 ms, as 1 ms
/// and 4 ms have, the ticker starts where all its deadlines keep away from ticks. Its first tick comes up to half that
/// measure after it was asked for. A sleeper with the default [`Margin`](crate::Margin) then aims for 0.2 % of late waits and
/// not for 1 %. [`phase`](Ticker::phase) tells. It cannot know of kernels that were started with
/// `skew_tick`, whose processors have ticks of their own.
///
/// On a Windows without high-resolution timers (before Windows 10 version
/// 1803) waits end with timer interrupts, one per millisecond. If the period is a whole number of
/// milliseconds, and at most two default intervals of 15.6 ms, the ticker waits for an interrupt and
/// starts there. Its deadlines then lie just after interrupts. The first tick comes up to 16 ms after
/// it was asked for; every later deadline is exact, as always. The phase lasts while the interrupts
/// and the performance counter keep the same rate; `docs/limits.md` has figures.
///
/// A ticker is an iterator. It ends only when it is [cancelled](Ticker::cancelled_by) or at the end
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
    start: Start,
}

impl Ticker {
    /// A ticker on the machine this program runs on. The period is a [`Period`] or a
    /// [`Duration`](std::time::Duration).
    ///
    /// # Panics
    /// If the period is invalid, such as a duration of zero, and where the system cannot wait; see
    /// [`Native::new`]. [`try_new`](Self::try_new) returns an error instead.
    #[track_caller]
    pub fn new<P: TryInto<Period>>(period: P) -> Self
    where
        Error: From<P::Error>,
    {
        Self::of(Sleeper::new(), period_of(period))
    }

    /// Like [`new`](Self::new), but returns an error instead of panicking.
    ///
    /// # Errors
    /// [Invalid input](Error::is_invalid_input) if the period is invalid,
    /// and those of [`Native::detect`].
    pub fn try_new<P: TryInto<Period>>(period: P) -> Result<Self, Error>
    where
        Error: From<P::Error>,
    {
        let period = try_period_of(period)?;
        Ok(Self::of(Sleeper::on(Native::detect()?), period))
    }
}

impl<O: Os> Ticker<O> {
    /// A ticker that waits with the given sleeper, and so on its machine and with its precision.
    ///
    /// # Panics
    /// If the period is invalid, such as a duration of zero.
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
            start: Start::as_asked(Instant::ZERO),
        }
    }

    /// Sets the policy for missed periods.
    #[must_use]
    pub fn with_missed_ticks(mut self, missed_ticks: MissedTicks) -> Self {
        self.schedule = self.schedule.with_missed_ticks(missed_ticks);
        self
    }

    /// Sets the instant of tick 0. Without this, it is the first call of [`tick`](Self::tick).
    #[must_use]
    pub fn starting_at(mut self, start: Instant) -> Self {
        self.restart_at(start);
        self
    }

    /// Lets another thread end this ticker through `cancel`.
    #[must_use]
    pub fn cancelled_by(mut self, cancel: Cancel<O>) -> Self {
        self.set_cancel(cancel);
        self
    }

    /// Lets another thread end this ticker through `cancel`, from the next wait on.
    pub fn set_cancel(&mut self, cancel: Cancel<O>) {
        self.cancel = Some(cancel);
    }

    /// The period it keeps.
    pub fn period(&self) -> Period {
        self.schedule.period()
    }

    /// Changes the period from now on, without a jump of the phase: the rest of the present period
    /// passes at the new rate. See [`Schedule::set_period`].
    ///
    /// ```
    /// use punctual::{Period, Ticker};
    ///
    /// let mut frames = Ticker::new(Period::from_hertz(144));
    /// frames.tick()?;
    /// // A game in the background needs fewer frames.
    /// frames.set_period(Period::from_hertz(30));
    /// frames.tick()?;
    /// # Ok::<(), punctual::Ended>(())
    /// ```
    ///
    /// # Panics
    /// If the period is invalid, such as a duration of zero.
    #[track_caller]
    pub fn set_period<P: TryInto<Period>>(&mut self, period: P)
    where
        Error: From<P::Error>,
    {
        let now = self.sleeper.now();
        self.schedule.set_period(now, period);
        self.start = Start::as_asked(now);
    }

    /// Releases what the sleeper [holds of the system](Sleeper#what-it-holds-of-the-system), until
    /// the next tick. Use it when a loop pauses, and [`restart`](Self::restart) to continue.
    pub fn pause(&mut self) {
        self.sleeper.pause();
    }

    /// Makes the next tick come at once, or where the first would [start](Ticker#where-it-starts),
    /// and the ticks after it follow at whole periods. Use it after a pause. The numbering continues,
    /// nothing counts as missed, and the pause earns no budget for spinning.
    pub fn restart(&mut self) {
        self.sleeper.resume();
        self.starts_when_asked = true;
    }

    /// Puts the next tick at `start`, and the ticks after it at whole periods from there.
    pub fn restart_at(&mut self, start: Instant) {
        self.schedule.restart(start);
        self.starts_when_asked = false;
        self.start = Start::as_asked(start);
    }

    /// Where its deadlines lie from its first tick on: where it was told to start, or in the phase that it
    /// [chose](Ticker#where-it-starts) and has kept so far.
    pub fn phase(&self) -> Phase {
        self.start.phase()
    }

    /// The sleeper that it waits with: shows what was learned, and reads the clock.
    pub fn sleeper(&self) -> &Sleeper<O> {
        &self.sleeper
    }

    /// The sleeper that it waits with, for waits between ticks.
    pub fn sleeper_mut(&mut self) -> &mut Sleeper<O> {
        &mut self.sleeper
    }

    /// Ends the ticker and returns its sleeper, with everything that it has learned.
    pub fn into_sleeper(self) -> Sleeper<O> {
        self.sleeper
    }

    /// Waits for the next tick.
    ///
    /// # Errors
    /// [`Ended`] when there is none.
    pub fn tick(&mut self) -> Result<Tick, Ended> {
        self.tick_by(Signals::GoOn)
    }

    /// Waits for the next tick, or until a signal that this thread handles. The next call waits for the same tick.
    ///
    /// A signal that comes before the system's wait begins, or in the last [margin](Sleeper::margin) before the deadline,
    /// does not end it. [`Os::wait_or_signal`] says on which systems one can.
    ///
    /// ```
    /// use punctual::{Ended, Period, Ticker};
    /// use std::sync::atomic::{AtomicBool, Ordering};
    ///
    /// // The program's handler of signals sets it.
    /// static STOP: AtomicBool = AtomicBool::new(false);
    ///
    /// let mut ticker = Ticker::new(Period::from_hertz(1_000));
    /// while !STOP.load(Ordering::Relaxed) {
    ///     match ticker.tick_or_signal() {
    ///         Ok(tick) => STOP.store(tick.index >= 3, Ordering::Relaxed),
    ///         Err(Ended::Interrupted { remaining }) => println!("a tick is to come in {remaining:?}"),
    ///         Err(ended) => panic!("{ended}"),
    ///     }
    /// }
    /// ```
    ///
    /// # Errors
    /// [`Ended`] when there is no tick, and [`Ended::Interrupted`] when it is still to come.
    pub fn tick_or_signal(&mut self) -> Result<Tick, Ended> {
        self.tick_by(Signals::EndIt)
    }

    #[inline(always)]
    fn tick_by(&mut self, signals: Signals) -> Result<Tick, Ended> {
        // Whatever the deadline is: it may pass between here and the wait.
        if self.cancel.as_ref().is_some_and(Cancel::is_cancelled) {
            return Err(Ended::Cancelled);
        }
        let mut now = self.sleeper.now();
        if self.starts_when_asked {
            let bell = self.cancel.as_ref().map(Cancel::bell);
            let start = self.sleeper.start_in_phase(now, self.period(), bell)?;
            self.restart_at(start.at());
            self.start = start;
            if start.at() != now {
                now = self.sleeper.now();
            }
        }
        self.start.look(self.sleeper.os());
        let deadline = self.schedule.next_deadline().ok_or(Ended::EndOfTime)?;
        let tick = if now < deadline {
            let (sleeper, cancel) = (&mut self.sleeper, self.cancel.as_ref());
            let wake = match signals {
                Signals::GoOn => {
                    sleeper.sleep_on(deadline.into(), Instant::ZERO, cancel.map(Cancel::bell))?
                }
                Signals::EndIt => sleeper.begin(deadline).sleep(signals, cancel)?,
            };
            self.schedule.tick(wake.woke)
        } else {
            if self.schedule.missed_ticks() == MissedTicks::Delay {
                self.start = Start::as_asked(now);
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
