//! What the engine and its peers do alike: threads that sleep again and again.

use punctual_sim::random::Random;
use std::time::Duration;

/// A number of threads, each of which sleeps this many times for as long as chance says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Workload {
    pub threads: u32,
    pub sleeps_each: u64,
}

/// No sleep is longer. With delays of 1 ns to 2 ms the next one to end is seldom the last that was
/// begun, and two seldom end together: what a queue of events finds hard.
pub const LONGEST_NANOS: u64 = 2_000_000;

/// Everybody's chance follows from it.
const SEED: u64 = 1;

impl Workload {
    /// About this many sleeps in all, and at least one for each thread.
    pub fn of(threads: u32, sleeps: u64) -> Self {
        Self {
            threads,
            sleeps_each: (sleeps / u64::from(threads)).max(1),
        }
    }

    /// One for each wake-up.
    pub fn events(self) -> u64 {
        u64::from(self.threads) * self.sleeps_each
    }
}

/// How long a thread sleeps each time: its own sequence, the same in every run.
#[derive(Debug)]
pub struct Delays(Random);

impl Delays {
    pub fn of_thread(thread: u32) -> Self {
        Self(Random::stream(SEED, thread.into()))
    }

    #[inline]
    pub fn draw(&mut self) -> Duration {
        Duration::from_nanos(self.0.between(1, LONGEST_NANOS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_thread_sleeps_as_often() {
        assert_eq!(Workload::of(3, 10).events(), 9);
        assert_eq!(Workload::of(10, 3).events(), 10, "at least once");
    }

    #[test]
    fn delays_are_positive_and_the_same_in_every_run() {
        let draws = || {
            let mut delays = Delays::of_thread(7);
            [(); 1_000].map(|()| delays.draw())
        };
        let (first, longest) = (draws(), Duration::from_nanos(LONGEST_NANOS));
        assert!(
            first
                .iter()
                .all(|&delay| !delay.is_zero() && delay <= longest)
        );
        assert_eq!(first, draws());
        assert_ne!(first[0], Delays::of_thread(8).draw());
    }
}
