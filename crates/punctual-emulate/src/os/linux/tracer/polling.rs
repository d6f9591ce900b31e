//! Whether to poll for the next stop, or to sleep until it comes.
//!
//! A thread that stops wakes a tracer that sleeps, on another processor often, which takes longer than all that the
//! tracer does for it. A tracer that polls is there. That pays where stops come in quick succession and a
//! processor is free for it; elsewhere it would take time from the program.

use punctual::Instant;
use std::time::Duration;

/// For how long it polls at most: about what it takes to wake a processor of a virtual machine.
const LONGEST: Duration = Duration::from_micros(50);
/// A stop that came so soon after the last may have been worth polling for: a sleeper's wake-up is part of it.
const SOON: Duration = Duration::from_micros(150);
/// So many in succession are.
const ENOUGH: u32 = 8;
/// The most stops that it sleeps for after it polled in vain.
const MOST_SLEPT: u32 = 1 << 12;

/// Learns whether polling pays.
#[derive(Debug, Clone, Copy)]
pub(super) struct Polling {
    /// The program has a processor while it polls.
    possible: bool,
    /// Stops that came soon, in succession.
    soon: u32,
    /// Stops to sleep for before it polls again, and how many it will be after the next failure.
    sleeps: u32,
    next_sleeps: u32,
}

impl Polling {
    pub(super) fn new(processors: usize) -> Self {
        Self {
            possible: processors > 1,
            soon: 0,
            sleeps: 0,
            next_sleeps: 1,
        }
    }

    /// Until when to poll, from now on: until now if not at all.
    pub(super) fn until(&mut self, now: Instant) -> Instant {
        let polls = self.possible && self.soon >= ENOUGH && self.sleeps == 0;
        self.sleeps = self.sleeps.saturating_sub(1);
        let length = if polls { LONGEST } else { Duration::ZERO };
        now.checked_add(length).unwrap_or(now)
    }

    /// It polled, and a stop came.
    pub(super) fn found(&mut self) {
        self.next_sleeps = (self.next_sleeps / 2).max(1);
    }

    /// It polled, and none came.
    pub(super) fn missed(&mut self) {
        self.sleeps = self.next_sleeps;
        self.next_sleeps = (self.next_sleeps * 2).min(MOST_SLEPT);
    }

    /// It slept until a stop came.
    pub(super) fn slept(&mut self, began: Instant, now: Instant) {
        let soon = now.duration_since(began) <= SOON;
        self.soon = if soon { (self.soon + 1).min(ENOUGH) } else { 0 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Instant = Instant::from_nanos(1_000_000_000);

    fn polls(polling: &mut Polling) -> bool {
        polling.until(NOW) > NOW
    }

    /// One that has seen stops in quick succession.
    fn quick() -> Polling {
        let mut polling = Polling::new(2);
        for _ in 0..ENOUGH {
            assert!(!polls(&mut polling));
            polling.slept(NOW, NOW + SOON);
        }
        polling
    }

    #[test]
    fn stops_in_quick_succession_are_polled_for() {
        let mut polling = quick();
        for _ in 0..100 {
            assert!(polls(&mut polling));
            polling.found();
        }
    }

    #[test]
    fn one_processor_is_left_to_the_program() {
        let mut polling = Polling::new(1);
        for _ in 0..100 {
            assert!(!polls(&mut polling));
            polling.slept(NOW, NOW);
        }
    }

    #[test]
    fn a_program_that_waits_for_long_is_not_polled_for() {
        let mut polling = quick();
        assert!(polls(&mut polling));
        polling.missed();
        polling.slept(NOW, NOW + Duration::from_millis(1));
        for _ in 0..ENOUGH {
            assert!(!polls(&mut polling));
            polling.slept(NOW, NOW + SOON);
        }
    }

    #[test]
    fn polling_in_vain_soon_takes_a_share_of_the_time_that_is_not_worth_mentioning() {
        let mut polling = quick();
        let mut in_vain = 0;
        for _ in 0..100_000 {
            if polls(&mut polling) {
                in_vain += 1;
                polling.missed();
            }
            polling.slept(NOW, NOW + SOON);
        }
        assert!(in_vain < 50, "{in_vain}");
    }
}
