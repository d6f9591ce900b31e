//! The deadlines of whatever repeats: an exact period, a start, and what becomes of missed ticks.

use crate::{Instant, Period};
use core::time::Duration;

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
/// let mut pulses = Schedule::new(start, Period::from_hertz_fraction(48, 1)?);
/// let mut timers = Timers::new();
/// timers.insert(start, "pulse");
///
/// // Deadlines are exact however late the timers fire.
/// let mut seen = Vec::new();
/// while seen.len() < 4 {
///     let now = timers.next_wakeup().unwrap() + std::time::Duration::from_micros(70);
///     while let Some(fired) = timers.pop_due(now) {
///         let tick = pulses.tick(now).unwrap();
///         seen.push(tick.scheduled.as_nanos());
///         timers.insert(pulses.next_deadline().unwrap(), fired.value);
///     }
/// }
/// assert_eq!(seen, [1_000, 20_834_333, 41_667_666, 62_501_000]);
/// # Ok::<(), punctual::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    period: Period,
    missed_ticks: MissedTicks,
    /// Where it starts: the tick numbered `first` is at `start`.
    start: Instant,
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

/// One tick of a [`Schedule`].
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

impl Schedule {
    /// A schedule whose tick 0 is at `start`.
    pub fn new(start: Instant, period: Period) -> Self {
        Self {
            period,
            missed_ticks: MissedTicks::default(),
            start,
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

    /// The period it keeps.
    pub fn period(&self) -> Period {
        self.period
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
        let scheduled = self.next_deadline()?;
        Some(self.take(scheduled, woke, 0))
    }

    /// Takes the tick whose deadline has already come at `now`, when its turn comes, and deals with
    /// the periods that were missed meanwhile.
    ///
    /// `None` if it is yet to come, and past the end of 64-bit time.
    pub fn overdue_tick(&mut self, now: Instant) -> Option<Tick> {
        let scheduled = self.next_deadline()?;
        if now < scheduled {
            return None;
        }
        match self.missed_ticks {
            MissedTicks::Burst => Some(self.take(scheduled, now, 0)),
            MissedTicks::Delay => {
                let missed = self.period.index_after(now.since(scheduled));
                self.restart(now);
                Some(self.take(scheduled, now, missed))
            }
            MissedTicks::Skip => {
                let since_start = self.period.index_after(now.since(self.start));
                let last_due = self.first.saturating_add(since_start);
                let missed = last_due - self.next;
                self.next = last_due;
                let scheduled = self.next_deadline()?;
                Some(self.take(scheduled, now, missed))
            }
        }
    }

    /// Puts the next tick at `start`, and those that follow whole periods after it. Ticks are
    /// numbered on.
    pub fn restart(&mut self, start: Instant) {
        (self.start, self.first) = (start, self.next);
    }

    fn deadline(&self, index: u64) -> Option<Instant> {
        // The last index there is stands for the end, so that the count cannot overflow.
        if index == u64::MAX {
            return None;
        }
        self.period.deadline(self.start, index - self.first)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Fires the next tick exactly on time, and says when that was.
    fn fire(schedule: &mut Schedule) -> u64 {
        let deadline = schedule.next_deadline().unwrap();
        schedule.tick(deadline).unwrap().scheduled.as_nanos()
    }

    #[test]
    fn a_billion_firings_do_not_drift() {
        // 48 kHz of 1024 samples, whose period has no end in decimals; a billion are 247 days.
        let period = Period::from_hertz_fraction(48_000, 1_024).unwrap();
        let start = Instant::from_nanos(17);
        let mut schedule = Schedule::new(start, period);
        let mut fired = 0_u64;
        // Jumps with Skip count like firings: the last deadline that passed gets its tick.
        while fired < 1_000_000_000 {
            for _ in 0..1_000 {
                let exact = 17 + u128::from(fired) * 1_024_000_000_000 / 48_000;
                assert_eq!(u128::from(fire(&mut schedule)), exact);
                fired += 1;
            }
            let after_a_jump = period.deadline(start, fired + 9_999_999).unwrap();
            let tick = schedule.overdue_tick(after_a_jump).unwrap();
            assert_eq!((tick.missed, tick.scheduled), (9_999_999, after_a_jump));
            fired = tick.index + 1;
        }
    }

    #[test]
    fn lateness_never_moves_it() {
        let mut schedule = Schedule::new(Instant::ZERO, Period::from_hertz(1_000).unwrap());
        for index in 0..10 {
            let late = schedule.next_deadline().unwrap() + Duration::from_micros(999);
            assert_eq!(schedule.overdue_tick(Instant::ZERO).is_some(), index == 0);
            if index > 0 {
                assert_eq!(
                    schedule.tick(late).unwrap().scheduled.as_nanos(),
                    index * 1_000_000
                );
            }
        }
    }

    #[test]
    fn starts_again_where_it_is_told_to_and_numbers_on() {
        let mut schedule = Schedule::new(Instant::ZERO, Period::from_hertz(1_000).unwrap());
        assert_eq!((fire(&mut schedule), fire(&mut schedule)), (0, 1_000_000));
        schedule.restart(Instant::from_nanos(5));
        assert_eq!(schedule.tick(Instant::from_nanos(6)).unwrap().index, 2);
        assert_eq!(fire(&mut schedule), 1_000_005);
    }

    #[test]
    fn ends_with_time() {
        let almost = Instant::from_nanos(u64::MAX - 1);
        let mut schedule = Schedule::new(almost, Period::from_hertz(1_000_000_000).unwrap());
        assert_eq!(schedule.overdue_tick(almost).unwrap().index, 0);
        assert_eq!(schedule.next_deadline(), Some(Instant::MAX));
        assert_eq!(schedule.tick(Instant::MAX).unwrap().index, 1);
        assert_eq!(schedule.next_deadline(), None);
        assert_eq!(schedule.tick(Instant::MAX), None);
        assert_eq!(schedule.overdue_tick(Instant::MAX), None);
    }
}
