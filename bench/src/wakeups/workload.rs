//! Periodic timers, as everyone is given them, and the least wake-ups that serve them.

use fastrand::Rng;
use punctual::timers::Window;
use punctual::{Instant, Period, Timers};
use std::time::Duration;

/// Periods are spread from the shortest to the longest: one at random, uniformly, in each of as
/// many equal parts as there are timers. So a thousand of them fire some seven thousand times a
/// second. (Spread evenly over the *logarithm* of the period they would fire 145,000 times.)
const SHORTEST: Duration = Duration::from_millis(1);
const LONGEST: Duration = Duration::from_secs(1);

/// One periodic timer: it fires at its phase, and once a period from there on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Task {
    pub phase: Duration,
    pub period: Duration,
}

/// Everything that everyone is given in one turn.
#[derive(Debug, Clone)]
pub struct Workload {
    pub tasks: Vec<Task>,
    pub duration: Duration,
}

impl Workload {
    /// So many timers, always the same ones.
    pub fn of(timers: u32, duration: Duration) -> Self {
        let mut random = Rng::with_seed(timers.into());
        let part = (LONGEST - SHORTEST) / timers;
        let task = |number: u32| {
            let period = SHORTEST + part * number + below(&mut random, part);
            Task {
                phase: below(&mut random, period),
                period,
            }
        };
        let tasks = (0..timers).map(task).collect();
        Self { tasks, duration }
    }

    /// How often all timers together fire.
    pub fn firings(&self) -> u64 {
        let times = |task: &Task| {
            let left = self.duration.saturating_sub(task.phase);
            left.as_nanos().div_ceil(task.period.as_nanos())
        };
        let firings: u128 = self.tasks.iter().map(times).sum();
        u64::try_from(firings).unwrap_or(u64::MAX)
    }

    /// The least number of wake-ups by which every timer fires within this share of its period
    /// after its deadline, counting those whose windows end before the turn does.
    ///
    /// Waking whenever a window ends and firing all that have begun needs the fewest; the library's
    /// tests prove it against all other ways.
    pub fn least_wakeups(&self, tolerance: f64) -> u64 {
        let end = Instant::ZERO + self.duration;
        let mut timers = Timers::new();
        for (number, task) in self.tasks.iter().enumerate() {
            timers.insert(task.window(0, tolerance), (number, 0));
        }
        let mut wakeups = 0;
        while let Some(now) = timers.next_wakeup().filter(|now| *now < end) {
            wakeups += 1;
            while let Some(fired) = timers.pop_due(now) {
                let (number, index) = fired.value;
                let window = self.tasks[number].window(index + 1, tolerance);
                timers.insert(window, (number, index + 1));
            }
        }
        wakeups
    }
}

impl Task {
    /// When it fires for the first time, counted from `start`.
    pub fn first(self, start: Instant) -> Instant {
        start + self.phase
    }

    pub fn exact_period(self) -> Period {
        Period::try_from(self.period).expect("a period is longer than nothing")
    }

    pub fn tolerance(self, share: f64) -> Duration {
        self.period.mul_f64(share)
    }

    fn window(self, index: u32, tolerance: f64) -> Window {
        let deadline = self.first(Instant::ZERO) + self.period * index;
        Window::tolerating(deadline, self.tolerance(tolerance))
    }
}

/// Something below this bound, by chance.
fn below(random: &mut Rng, bound: Duration) -> Duration {
    bound.mul_f64(random.f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_are_spread_from_a_millisecond_to_a_second() {
        let workload = Workload::of(1_000, Duration::from_secs(1));
        assert_eq!(workload.tasks.len(), 1_000);
        for (number, task) in (0..).zip(&workload.tasks) {
            let from = SHORTEST + (LONGEST - SHORTEST) / 1_000 * number;
            assert!(task.period >= from && task.period <= LONGEST);
            assert!(task.phase < task.period);
        }
        assert!((5_000..9_000).contains(&workload.firings()));
    }

    #[test]
    fn exact_timers_need_a_wake_up_each_and_tolerant_ones_fewer() {
        let workload = Workload::of(100, Duration::from_secs(1));
        let exact = workload.least_wakeups(0.0);
        assert_eq!(exact, workload.firings());
        let tolerant: Vec<u64> = [0.01, 0.1, 0.5]
            .map(|share| workload.least_wakeups(share))
            .into();
        assert!(tolerant[0] < exact && tolerant[1] < tolerant[0] && tolerant[2] < tolerant[1]);
    }

    #[test]
    fn of_two_timers_the_overlapping_windows_are_served_together() {
        let micros = Duration::from_micros;
        let task = |phase| Task {
            phase: micros(phase),
            period: micros(1_000),
        };
        // Windows of 100 µs from 100 and from 150 µs on, in each of ten periods.
        let workload = Workload {
            tasks: vec![task(100), task(150)],
            duration: micros(10_000),
        };
        assert_eq!(workload.least_wakeups(0.1), 10);
        assert_eq!(workload.least_wakeups(0.04), 20);
    }
}
