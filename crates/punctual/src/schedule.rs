//! The deadlines of whatever repeats: an exact period, a start, and what becomes of missed ticks.

mod position;

use crate::period::{period_of, try_period_of};
use crate::{Error, Instant, Period};
use core::time::Duration;
use position::Position;

/// Computes the deadlines of something periodic, each from the start, so that nothing drifts.
///
/// It knows no clock and does not wait: [`Ticker`](crate::Ticker) waits for its deadlines on a
/// thread of its own, and in [`Timers`](crate::Timers) each deadline is inserted in its turn.
///
/// Whoever keeps a schedule asks at the end of one tick for [`overdue_tick`](Self::overdue_tick).
/// If there is one, it comes now; if not, wait until [`next_deadline`](Self::next_deadline) and
/// take that [`tick`](Self::tick).
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

/// What becomes of periods whose deadlines passed while nobody waited for them.
///
/// The names are tokio's, and so is the instant at which each tick comes. There is no hidden
/// threshold: being late by a nanosecond is being late.
///
/// The default is [`Skip`](Self::Skip), where tokio's is a burst. What waits this precisely renders,
/// samples, sends or controls, and to do that twice in a row because it was late once makes it late
/// again: a loop that cannot keep up bursts for ever, and one whose machine slept for a night at
/// 1 kHz has 28 million ticks to make up for. Nothing is lost unseen: a tick says how many it
/// [missed](Tick::missed).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum MissedTicks {
    /// Every period gets its tick: those that passed come at once, one after the other, until the
    /// schedule is caught up with. For counting work that must all be done.
    Burst,
    /// As [`Burst`](Self::Burst), but of so many ticks at most: the last that passed. Those before
    /// them are missed. A burst of one is a skip, and so is one of none.
    BurstOf(u32),
    /// The tick that passed comes at once and the schedule restarts there. For leaving at least a
    /// period between ticks.
    Delay,
    /// The last period that passed gets its tick at once and those before it get none; the schedule
    /// stays. For whoever renders or mixes audio.
    #[default]
    Skip,
}

/// One tick of a [`Schedule`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tick {
    /// The number of its period, from 0. With [`MissedTicks::Skip`] numbers of missed periods are
    /// left out.
    pub index: u64,
    /// When it should have come.
    pub deadline: Instant,
    /// When it did: never before its deadline.
    pub woke: Instant,
    /// How many periods before this one passed without a tick of their own since the last tick.
    pub missed: u64,
    /// The time since the last tick woke: by how much a game moves on. Zero for the first, and for
    /// the first after a restart.
    pub interval: Duration,
}

impl Tick {
    /// How late it came: from its deadline until it woke, whatever was tolerated.
    pub fn lateness(&self) -> Duration {
        self.woke - self.deadline
    }
}

impl Schedule {
    /// A schedule whose tick 0 is at `start`.
    ///
    /// # Panics
    /// For what is no period, such as a duration of zero; [`try_new`](Self::try_new) does not.
    #[track_caller]
    pub fn new<P: TryInto<Period>>(start: Instant, period: P) -> Self
    where
        Error: From<P::Error>,
    {
        Self::of(start, period_of(period))
    }

    /// As [`new`](Self::new).
    ///
    /// # Errors
    /// [Invalid input](Error::is_invalid_input) for what is no period.
    pub fn try_new<P: TryInto<Period>>(start: Instant, period: P) -> Result<Self, Error>
    where
        Error: From<P::Error>,
    {
        try_period_of(period).map(|period| Self::of(start, period))
    }

    fn of(start: Instant, period: Period) -> Self {
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

    /// Says what becomes of missed periods.
    #[must_use]
    pub fn with_missed_ticks(mut self, missed_ticks: MissedTicks) -> Self {
        self.missed_ticks = missed_ticks;
        self
    }

    /// The period it keeps.
    pub fn period(&self) -> Period {
        self.period
    }

    /// What becomes of missed periods.
    pub fn missed_ticks(&self) -> MissedTicks {
        self.missed_ticks
    }

    /// Keeps another period from `now` on, without a jump of the phase: the part of the present
    /// period that has gone by stays gone, and what is left of it passes at the new rate. So a tempo
    /// can change within a beat. A deadline that has come stays where it is.
    ///
    /// Ticks are numbered on. Nothing adds up, however often the period changes: what is left is
    /// kept to 2^-64 of a period.
    ///
    /// ```
    /// use punctual::{Instant, Period, Schedule};
    ///
    /// let at = |millis: u64| Instant::from_nanos(millis * 1_000_000);
    /// let mut beats = Schedule::new(at(0), Period::from_hertz(2));
    /// beats.tick(at(0));
    /// // After half of a beat, twice as fast: the other half takes 125 ms.
    /// beats.set_period(at(250), Period::from_hertz(4));
    /// assert_eq!(beats.next_deadline(), Some(at(375)));
    /// ```
    ///
    /// # Panics
    /// For what is no period, such as a duration of zero.
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

    /// Takes the next tick, which was waited for and came at `woke`. However late that was, it is
    /// this tick: nobody knew better when the wait began.
    ///
    /// `None` past the end of 64-bit time.
    pub fn tick(&mut self, woke: Instant) -> Option<Tick> {
        let deadline = self.next_deadline()?;
        Some(self.take(deadline, woke, 0))
    }

    /// Takes the tick whose deadline has already come at `now`, when its turn comes, and deals with
    /// the periods that were missed meanwhile.
    ///
    /// `None` if it is yet to come, and past the end of 64-bit time.
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

    /// Puts the next tick at `start`, and those that follow whole periods after it. Ticks are
    /// numbered on.
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
