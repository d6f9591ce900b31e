//! What the ticks of a schedule should be, from first principles.

use super::super::program::Every;
use super::{BOUND, Verdict, ensure};
use punctual::{Instant, MissedTicks, Tick};
use std::time::Duration;

/// A schedule as far as its ticks have come.
#[derive(Debug, Clone)]
pub struct Expected {
    every: Every,
    /// Where tick 0 is; unknown until it came, or if the schedule was changed since.
    start: Option<Instant>,
    /// Whether deadlines follow from the start and the period alone.
    is_exact: bool,
    next: u64,
    last: Option<Tick>,
    /// Whether the next interval is unknown: the schedule has been changed.
    is_changed: bool,
    /// Changes that have begun and not returned.
    changing: u64,
    /// Whether the period is only known not to be longer.
    is_vague: bool,
    /// Where it may have been moved to since the last tick.
    moved_to: Instant,
}

impl Expected {
    pub fn new(every: Every, start: Option<Instant>) -> Self {
        Self {
            every,
            start,
            is_exact: every.policy != MissedTicks::Delay,
            next: 0,
            last: None,
            is_changed: false,
            changing: 0,
            is_vague: false,
            moved_to: Instant::ZERO,
        }
    }

    /// The next tick is being moved, to this instant.
    pub fn move_to(&mut self, to: Instant) {
        self.moved_to = self.moved_to.max(to);
        self.changing += 1;
        self.is_exact = false;
    }

    /// The period is being changed.
    pub fn retune(&mut self, every: Every) {
        // Of two changes at a time, either may be the last.
        self.is_vague |= self.changing > 0;
        let before = self.period();
        (self.every.nanos, self.every.per) = (every.nanos, every.per);
        if self.is_vague && before > self.period() {
            self.every.nanos = u64::try_from(before.as_nanos()).unwrap_or(u64::MAX);
            self.every.per = 1;
        }
        self.changing += 1;
        self.is_exact = false;
    }

    /// A change has returned.
    pub fn changed(&mut self) {
        self.changing -= 1;
        self.is_changed = true;
    }

    fn period(&self) -> Duration {
        Duration::from_nanos(self.every.nanos / self.every.per + 1)
    }

    /// By when the next tick must have come, seen from an instant at which it may begin to.
    pub fn by(&self, now: Instant) -> Instant {
        let last = self.last.map_or(now, |last| last.deadline.max(last.woke));
        now.max(last + 2 * self.period()).max(self.moved_to) + BOUND
    }

    /// `start + floor(index · period)`.
    fn deadline(&self, start: Instant, index: u64) -> Instant {
        let offset = u128::from(index) * u128::from(self.every.nanos) / u128::from(self.every.per);
        start + Duration::from_nanos(u64::try_from(offset).unwrap_or(u64::MAX))
    }

    /// A tick came, which was asked for after this instant.
    pub fn tick(&mut self, tick: &Tick, asked_after: Instant) -> Verdict {
        ensure!(
            tick.woke >= tick.deadline,
            "early, by {:?}",
            tick.deadline - tick.woke
        );
        let passed_over = match self.every.policy {
            // The numbers go on.
            MissedTicks::Delay => 0,
            _ => tick.missed,
        };
        ensure!(
            tick.index == self.next + passed_over,
            "tick {} was expected",
            self.next
        );
        let is_changed = self.is_changed || self.changing > 0;
        let start = *self.start.get_or_insert(tick.deadline);
        if self.is_exact {
            let deadline = self.deadline(start, tick.index);
            ensure!(
                tick.deadline == deadline,
                "it drifted: {deadline:?} was expected"
            );
            let following = self.deadline(start, tick.index + 1);
            let was_overdue = self.deadline(start, self.next) <= asked_after && self.last.is_some();
            let is_skipped = tick.missed > 0 || was_overdue;
            let is_last = !is_skipped || following > tick.woke;
            match self.every.policy {
                MissedTicks::Skip => ensure!(is_last, "it missed too few or too many"),
                MissedTicks::Burst => ensure!(tick.missed == 0, "a burst misses nothing"),
                _ => {}
            }
        } else if let Some(last) = self.last.filter(|_| !is_changed && !self.is_vague) {
            let soonest = last.deadline + self.period() - Duration::from_nanos(2);
            ensure!(
                tick.deadline >= soonest,
                "it came sooner than a period: {soonest:?}"
            );
        }
        let interval = self
            .last
            .map_or(Duration::ZERO, |last| tick.woke - last.woke);
        ensure!(
            is_changed || tick.interval == interval,
            "the interval was {interval:?}"
        );
        self.next = tick.index + 1;
        self.last = Some(*tick);
        (self.is_changed, self.moved_to) = (false, Instant::ZERO);
        Ok(())
    }
}
