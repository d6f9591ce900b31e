//! The deadlines of periodic events: an exact period, a start, and a policy for missed ticks.

mod position;

use crate::period::{period_of, try_period_of};
use crate::{Error, Instant, Period};
use core::time::Duration;
use position::Position;

/// Computes periodic deadlines, each from the start, so that they do not drift.
///
/// It reads no clock and does not wait. [`Ticker`](crate::Ticker) waits for its deadlines on the
/// calling thread. With [`Timers`](crate::Timers), insert one deadline after the other.
///
/// At the end of each tick, ask for an [`overdue_tick`](Self::overdue_tick). If there is one, it comes
/// now. If not, wait until [`next_deadline`](Self::next_deadline) and take that
/// [`tick`](Self::tick).
///
/// ```
/// use punctual::{Instant, Period, Schedule, Timers};
///
/// let start = Instant::from_nanos(1_000);
/// let mut pulses = Schedule::new(start, Period::from_hertz_fraction(48, 1));
/// let mut timers = Timers::new();
/// timers.insert(start, "pulse");
///
/// // Deadlines are exact however late the timers fire.
/// let mut seen = Vec::new();
/// while seen.len() < 4 {
///     let now = timers.next_wakeup().unwrap() + std::time::Duration::from_micros(70);
///     while let Some(fired) = timers.pop_due(now) {
///         let tick = pulses.tick(now).unwrap();
///         seen.push(tick.deadline.as_nanos());
///         timers.insert(pulses.next_deadline().unwrap(), fired.value);
///     }
/// }
/// assert_eq!(seen, [1_000, 20_834_333, 41_667_666, 62_501_000]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    period: Period,
    missed_ticks: MissedTicks,
    /// Where it starts: the tick numbered `first` is at `start`, and a fraction of a nanosecond.
    start: Instant,
    /// That fraction, in parts of 2^64: what a change of the period would cut off, and a tempo that
    /// changes at every beat would lose each time.
    fraction: u64,
    first: u64,
    next: u64,
    /// When the last tick woke, once there was one.
    last_woke: Option<Instant>,
    /// Whether the next tick is where it begins, so that no period leads up to that.
    begins: bool,
}

/// The policy for periods whose deadlines passed while the loop was busy.
///
/// The names and the instants of the ticks are those of tokio. There is no hidden threshold: a
/// nanosecond late is late.
///
/// The default is [`Skip`](Self::Skip); tokio's is a burst. Precise loops render, sample, send or
/// control. A second turn right after a late one would only make the next one late too. With a burst,
/// a loop that cannot keep up bursts for ever, and a loop of 1 kHz has 28 million ticks to deliver
/// after a night of suspension. No missed period goes unseen: a tick says how many it
/// [missed](Tick::missed).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum MissedTicks {
    /// Every period gets its tick. The overdue ticks come at once, one after the other. Use it for
    /// work that must be done for every tick.
    Burst,
    /// Like [`Burst`](Self::Burst), but with at most this many ticks, the last that passed. The periods
    /// before them are missed. With 1 or 0 it is the same as [`Skip`](Self::Skip).
    BurstOf(u32),
    /// The overdue tick comes at once, and the schedule starts again from it. Use it to leave at least
    /// one period between ticks.
    Delay,
    /// The last period that passed gets its tick at once, and the periods before it are missed. The
    /// schedule stays. Use it for rendering, audio or control.
    #[default]
    Skip,
}

/// One tick of a [`Schedule`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tick {
    /// The number of its period, from 0. With [`MissedTicks::Skip`], the numbers of missed periods are
    /// left out.
    pub index: u64,
    /// The instant at which it should have come.
    pub deadline: Instant,
    /// The instant at which it came; never before its deadline.
    pub woke: Instant,
    /// How many periods before this one passed without a tick of their own since the last tick.
    pub missed: u64,
    /// The time since the previous tick woke, by which a game advances. Zero for the first tick and
    /// for the first one after a restart.
    pub interval: Duration,
}

impl Tick {
    /// How late it came: the time from the deadline until it woke, including any tolerance.
    pub fn lateness(&self) -> Duration {
        self.woke - self.deadline
    }
}

impl Schedule {
    /// A schedule whose tick 0 is at `start`.
    ///
    /// # Panics
    /// If the period is invalid, such as a duration of zero. [`try_new`](Self::try_new) returns an
    /// error instead.
    #[track_caller]
    pub fn new<P: TryInto<Period>>(start: Instant, period: P) -> Self
    where
        Error: From<P::Error>,
    {
        Self::of(start, period_of(period))
    }

    /// Like [`new`](Self::new), but returns an error instead of panicking.
    ///
    /// # Errors
    /// [Invalid input](Error::is_invalid_input) if the period is invalid.
    pub fn try_new<P: TryInto<Period>>(start: Instant, period: P) -> Result<Self, Error>
    where
        Error: From<P::Error>,
    {
        try_period_of(period).map(|period| Self::of(start, period))
    }

    pub(crate) fn of(start: Instant, period: Period) -> Self {
        Self {
            period,
            missed_ticks: MissedTicks::default(),
            start,
            fraction: 0,
            first: 0,
            next: 0,
            last_woke: None,
            begins: true,
        }
    }

    /// Sets the policy for missed periods.
    #[must_use]
    pub fn with_missed_ticks(mut self, missed_ticks: MissedTicks) -> Self {
        self.missed_ticks = missed_ticks;
        self
    }

    /// The period it keeps.
    pub fn period(&self) -> Period {
        self.period
    }

    /// The policy for missed periods.
    pub fn missed_ticks(&self) -> MissedTicks {
        self.missed_ticks
    }

    /// Changes the period from `now` on, without a jump of the phase: the rest of the present period
    /// passes at the new rate. So a tempo can change within a beat. A deadline that has already come
    /// stays where it is.
    ///
    /// The numbering continues. Even after many changes no error accumulates: the rest is kept to
    /// 2^-64 of a period.
    ///
    /// ```
    /// use punctual::{Instant, Period, Schedule};
    ///
    /// let at = |millis: u64| Instant::from_nanos(millis * 1_000_000);
    /// let mut beats = Schedule::new(at(0), Period::from_hertz(2));
    /// beats.tick(at(0));
    /// // Twice as fast after half a beat: the other half takes 125 ms.
    /// beats.set_period(at(250), Period::from_hertz(4));
    /// assert_eq!(beats.next_deadline(), Some(at(375)));
    /// ```
    ///
    /// # Panics
    /// If the period is invalid, such as a duration of zero.
    #[track_caller]
    pub fn set_period<P: TryInto<Period>>(&mut self, now: Instant, period: P)
    where
        Error: From<P::Error>,
    {
        let period = period_of(period);
        if let Some(next) = Position::of(self, self.next) {
            let changed = if self.begins {
                Some(next)
            } else {
                next.approached_at_another_rate(now, self.period, period)
            };
            // Past the end of time there is nothing left to keep.
            let next = changed.unwrap_or(Position::END);
            (self.start, self.fraction, self.first) = (next.instant, next.fraction, self.next);
        }
        self.period = period;
    }

    /// The deadline of the next tick; `None` past the end of 64-bit time.
    pub fn next_deadline(&self) -> Option<Instant> {
        self.deadline(self.next)
    }

    /// Takes the next tick, which came at `woke` after a wait. It is always the tick that the wait was
    /// for, however late it came.
    ///
    /// `None` past the end of 64-bit time.
    pub fn tick(&mut self, woke: Instant) -> Option<Tick> {
        let deadline = self.next_deadline()?;
        Some(self.take(deadline, woke, 0))
    }

    /// Takes the next tick if its deadline has already come at `now`, and applies the policy to the
    /// missed periods.
    ///
    /// `None` if the deadline is still to come, and past the end of 64-bit time.
    pub fn overdue_tick(&mut self, now: Instant) -> Option<Tick> {
        let deadline = self.next_deadline()?;
        if now < deadline {
            return None;
        }
        match self.missed_ticks {
            MissedTicks::Burst => Some(self.take(deadline, now, 0)),
            MissedTicks::Delay => {
                let missed = self.period.index_after(now - deadline);
                self.begin_at(now);
                Some(self.take(deadline, now, missed))
            }
            MissedTicks::Skip => self.take_one_of_the_last(1, now),
            MissedTicks::BurstOf(most) => self.take_one_of_the_last(most.max(1).into(), now),
        }
    }

    /// Takes the first of so many ticks, at most, that are the last to have come at `now`.
    fn take_one_of_the_last(&mut self, most: u64, now: Instant) -> Option<Tick> {
        let first = self.last_due(now).saturating_sub(most - 1);
        let missed = first.saturating_sub(self.next);
        self.next = self.next.max(first);
        let deadline = self.next_deadline()?;
        Some(self.take(deadline, now, missed))
    }

    /// The index of the last tick that is due at `now`, of which there is one.
    fn last_due(&self, now: Instant) -> u64 {
        let index = self
            .first
            .saturating_add(self.period.index_after(now - self.start));
        // The fraction of a nanosecond after which it starts can be what the last lacks.
        match self.deadline(index) {
            Some(deadline) if deadline > now => index - 1,
            _ => index,
        }
    }

    /// Puts the next tick at `start`, and the ticks after it at whole periods from there. The
    /// numbering continues.
    pub fn restart(&mut self, start: Instant) {
        self.begin_at(start);
        self.last_woke = None;
    }

    fn begin_at(&mut self, start: Instant) {
        (self.start, self.fraction, self.first) = (start, 0, self.next);
        self.begins = true;
    }

    fn deadline(&self, index: u64) -> Option<Instant> {
        // The last index there is stands for the end, so that the count cannot overflow.
        if index == u64::MAX {
            return None;
        }
        Position::of(self, index).map(|position| position.instant)
    }

    fn take(&mut self, deadline: Instant, woke: Instant, missed: u64) -> Tick {
        let index = self.next;
        self.next = self.next.saturating_add(1);
        self.begins = false;
        let interval = self.last_woke.map_or(Duration::ZERO, |last| woke - last);
        self.last_woke = Some(woke);
        Tick {
            index,
            deadline,
            woke,
            missed,
            interval,
        }
    }
}

#[cfg(test)]
mod tests;
