//! Where the sleepers of a process get into each other's way.
//!
//! A sleeper that is to be woken on a processor on which another one spins is held up. On a busy machine that can cost
//! more than the rest of the spin: the thread that was woken meanwhile finds another program before it. And the one that
//! spins can lose its processor to the one that is woken. So the more a process spins, the more of its waits end later
//! than without any spin.

use crate::Instant;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

/// For each processor, until when a sleeper of the process spins or has spun on it, and what all of that does to others.
#[derive(Debug)]
pub(crate) struct Collisions {
    spinning: [Line; LINES],
    /// Waits without a victim, as far as they have not been used up by victims.
    goodwill: AtomicI64,
}

/// In a line of the cache of its own: each processor writes its own.
#[derive(Debug)]
#[repr(align(64))]
struct Line(AtomicU64);

/// More processors than that share lines: at worst, a sleeper that was not held up learns nothing from a wait.
const LINES: usize = 64;

/// Waits for each that may be a victim. One in a thousand is a tenth of what the default late rate allows, so that the
/// 99th percentile stays what it is without a spin.
const FOR_EACH: i64 = 1_000;

/// How many waits are remembered: those of two victims. With eight, two threads that wait at 100 Hz have as many within
/// four seconds, one wait in a hundred, before they spin less.
const MOST: i64 = 2 * FOR_EACH;

/// Deadlines so close together are one: what reading a clock and calling the system differ by. A sleeper that
/// finds its processor taken until its own deadline would have queued without a spin, too.
const IN_STEP_NANOS: u64 = 2_000;

/// How long those who are in step may queue before it is held against a spin: each of them takes the processor for so
/// long, to wake, to look at the clock and to wait again.
const TURN: Duration = Duration::from_micros(10);

/// What a wake-up that nothing holds up takes.
const WAKE_UP: Duration = Duration::from_micros(50);

/// At most a turn of another program on a kernel with a thousand ticks a second.
const LONGEST_QUEUE: Duration = Duration::from_millis(1);

/// Whom a sleeper met when the system had woken it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Meeting {
    processor: Option<usize>,
    /// The deadline of another sleeper that has spun on this processor after this one was to be woken.
    until: Option<u64>,
}

impl Meeting {
    /// Whether its wake-up says nothing about the system.
    pub(crate) fn held_up(self) -> bool {
        self.until.is_some()
    }

    /// Whether the two were not in step, so that each of them was dispatched once more than without a spin.
    pub(crate) fn crossed(self, deadline: Instant) -> bool {
        let deadline = deadline.as_nanos();
        self.until
            .is_some_and(|until| until.abs_diff(deadline) >= IN_STEP_NANOS)
    }
}

impl Collisions {
    pub(super) const fn new() -> Self {
        Self {
            spinning: [const { Line(AtomicU64::new(0)) }; LINES],
            goodwill: AtomicI64::new(MOST),
        }
    }

    /// A sleeper that was to be woken at an instant runs on a processor.
    #[inline]
    pub(crate) fn meet(&self, processor: Option<usize>, alarm: Instant) -> Meeting {
        let until = processor.map(|processor| self.on(processor).load(Ordering::Relaxed));
        Meeting {
            processor,
            until: until.filter(|&until| until > alarm.as_nanos()),
        }
    }

    /// It begins to spin there.
    #[inline]
    pub(crate) fn begin(&self, meeting: Meeting, deadline: Instant) {
        if let Some(processor) = meeting.processor {
            self.on(processor)
                .store(deadline.as_nanos(), Ordering::Relaxed);
        }
    }

    /// Whether another of so many sleepers made it late: one that it met, or one that has begun to spin on its processor
    /// since.
    #[cold]
    pub(crate) fn made_late(
        &self,
        meeting: Meeting,
        deadline: Instant,
        woke: Instant,
        has_spun: bool,
        sleepers: usize,
    ) -> bool {
        let turns = TURN * u32::try_from(sleepers).unwrap_or(u32::MAX).min(1_000);
        let queued = woke.duration_since(deadline) < LONGEST_QUEUE.min(WAKE_UP + turns);
        let deadline = deadline.as_nanos();
        let in_step = |until: u64| queued && until.abs_diff(deadline) < IN_STEP_NANOS;
        let now = meeting
            .processor
            .map(|processor| self.on(processor).load(Ordering::Relaxed));
        meeting.until.is_some_and(|until| !in_step(until))
            || has_spun && now.is_some_and(|until| !in_step(until))
    }

    /// Counts a wait, which ended later than without any spin because of another sleeper, or did not.
    pub(super) fn count(&self, is_victim: bool) {
        let change = if is_victim { 1 - FOR_EACH } else { 1 };
        let before = self.goodwill.load(Ordering::Relaxed);
        let after = before.saturating_add(change).clamp(0, MOST);
        // Of two threads that count at the same time one may not be counted.
        if after != before {
            self.goodwill.store(after, Ordering::Relaxed);
        }
    }

    /// What is left of it, from 0 to 1.
    pub(super) fn goodwill(&self) -> f64 {
        self.goodwill.load(Ordering::Relaxed) as f64 / MOST as f64
    }

    fn on(&self, processor: usize) -> &AtomicU64 {
        &self.spinning[processor % LINES].0
    }
}
