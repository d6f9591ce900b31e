//! The deadlines of a block, and what became of them.

use crate::os::Meter;
use crate::statistics::nanos;
use clap::ValueEnum;
use fastrand::Rng;
use punctual::{Instant, Native};
use std::time::Duration;

/// What every contender is asked for in a turn.
#[derive(Debug, Clone, Copy)]
pub struct Block {
    pub period: Duration,
    /// Periods that count.
    pub periods: u32,
    /// Periods before them, in which threads start and margins are learned.
    pub warm_up: u32,
    pub threads: u32,
    pub beat: Beat,
    /// What chance is made of.
    pub seed: u32,
}

/// When the deadlines of several threads are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Beat {
    /// All at the same instants.
    InStep,
    /// Spread evenly over a period.
    Staggered,
    /// Each a random time after the thread has woken, of a period on average.
    AtRandom,
}

/// How a block went.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// One for each wait, in nanoseconds, in order.
    pub latenesses: Vec<u64>,
    /// How late it was, in nanoseconds, when each deadline was found to have passed before its turn. `None`: the
    /// contender does not tell.
    pub passed: Option<Vec<u64>>,
    /// Of the process. `None`: cannot be told from what starting the contender took.
    pub processor: Option<Duration>,
    /// Of that, what the contender says it spun.
    pub spun: Duration,
    pub elapsed: Duration,
}

/// Hands out the deadlines of one thread, and takes down how late each was met.
///
/// Deadline `k` is the start plus `k` periods, whatever happened before. The time that counts is read when the contender
/// has returned: what it still does after its wait is part of its lateness.
pub struct Grid {
    os: Native,
    block: Block,
    /// Whether it is this one that reads the processor time.
    meters: bool,
    random: Rng,
    start: Instant,
    /// The number of the deadline last handed out, and when that is.
    index: u32,
    deadline: Instant,
    /// When what counts began, and the processor time by then.
    began: Option<(Instant, Duration)>,
    outcome: Outcome,
}

impl Block {
    /// The grid of each thread, from this instant on.
    pub fn grids(self, start: Instant) -> impl Iterator<Item = Grid> {
        (0..self.threads).map(move |number| {
            let offset = match self.beat {
                Beat::Staggered => self.period * number / self.threads,
                Beat::InStep | Beat::AtRandom => Duration::ZERO,
            };
            Grid {
                os: Native::new(),
                block: self,
                meters: number == 0,
                random: Rng::with_seed(u64::from(self.seed) << 32 | u64::from(number)),
                start: start + offset,
                index: 0,
                deadline: start,
                began: None,
                outcome: Outcome {
                    latenesses: Vec::with_capacity(2 * self.periods as usize),
                    passed: Some(Vec::new()),
                    ..Outcome::default()
                },
            }
        })
    }
}

impl Grid {
    /// Counts the periods from another start, which is still to come.
    pub fn starting_at(self, start: Instant) -> Self {
        Self { start, ..self }
    }

    /// The next deadline that has not passed, until the block is done.
    pub fn next_deadline(&mut self) -> Option<Instant> {
        self.next_after(self.os.now())
    }

    fn next_after(&mut self, now: Instant) -> Option<Instant> {
        let (block, period) = (self.block, self.block.period);
        loop {
            self.index += 1;
            self.deadline = match block.beat {
                Beat::AtRandom => now.max(self.start) + period.mul_f64(2.0 * self.random.f64()),
                Beat::InStep | Beat::Staggered => self.start + period * self.index,
            };
            if self.deadline > self.start + period * (block.warm_up + block.periods) {
                return None;
            }
            if self.counts() && self.began.is_none() {
                self.began = Some((now, self.used()));
            }
            if now < self.deadline {
                return Some(self.deadline);
            }
            if self.counts() {
                let lateness = nanos(now - self.deadline);
                self.outcome.passed.get_or_insert_default().push(lateness);
            }
        }
    }

    /// Whether the deadline last looked at counts.
    fn counts(&self) -> bool {
        self.deadline > self.start + self.block.period * self.block.warm_up
    }

    fn used(&self) -> Duration {
        match self.meters {
            true => Meter::Process.read(),
            false => Duration::ZERO,
        }
    }

    /// The wait for the deadline last handed out has ended, and spun so long.
    pub fn woke(&mut self, spun: Duration) {
        self.woke_at(self.os.now(), spun);
    }

    fn woke_at(&mut self, now: Instant, spun: Duration) {
        if self.counts() {
            self.outcome.latenesses.push(nanos(now - self.deadline));
            self.outcome.spun += spun;
        }
    }

    pub fn finish(self) -> Outcome {
        let now = self.os.now();
        self.finish_at(now)
    }

    fn finish_at(self, now: Instant) -> Outcome {
        let used = self.used();
        let (began, before) = self.began.unwrap_or((now, used));
        Outcome {
            processor: self.meters.then(|| used.saturating_sub(before)),
            elapsed: now - began,
            ..self.outcome
        }
    }
}

/// All deadlines of a grid, with what waits for one and says how long it spun.
pub fn wait_for_all(mut grid: Grid, mut wait: impl FnMut(Instant) -> Duration) -> Outcome {
    while let Some(deadline) = grid.next_deadline() {
        let spun = wait(deadline);
        grid.woke(spun);
    }
    grid.finish()
}

/// What the threads of a block say together, of which the first has read the processor time.
pub fn together(all: impl IntoIterator<Item = Outcome>) -> Outcome {
    let mut all = all.into_iter();
    let mut together = all.next().unwrap_or_default();
    for outcome in all {
        together.latenesses.extend(outcome.latenesses);
        let passed = together.passed.get_or_insert_default();
        passed.extend(outcome.passed.unwrap_or_default());
        together.spun += outcome.spun;
    }
    together
}

#[cfg(test)]
mod tests {
    use super::*;

    const PERIOD: Duration = Duration::from_millis(1);

    fn grids(warm_up: u32, threads: u32, beat: Beat) -> Vec<Grid> {
        let block = Block {
            period: PERIOD,
            periods: 5,
            warm_up,
            threads,
            beat,
            seed: 1,
        };
        block.grids(Instant::ZERO + PERIOD).collect()
    }

    #[test]
    fn a_missed_deadline_is_skipped_and_counted() {
        let mut grid = grids(0, 1, Beat::InStep).remove(0);
        let start = grid.start;
        assert_eq!(grid.next_after(start), Some(start + PERIOD));
        // Woken two and a half periods late: deadlines 2 and 3 have passed.
        let now = start + PERIOD * 7 / 2;
        grid.woke_at(now, PERIOD);
        assert_eq!(grid.next_after(now), Some(start + PERIOD * 4));
        let now = start + PERIOD * 4;
        grid.woke_at(now, Duration::ZERO);
        assert_eq!(grid.next_after(now), Some(start + PERIOD * 5));
        let now = start + PERIOD * 5;
        grid.woke_at(now, Duration::ZERO);
        assert_eq!(grid.next_after(now), None);
        let outcome = grid.finish_at(now);
        assert_eq!(outcome.latenesses, [2_500_000, 0, 0]);
        assert_eq!(outcome.passed, Some(vec![1_500_000, 500_000]));
        assert_eq!((outcome.elapsed, outcome.spun), (PERIOD * 5, PERIOD));
    }

    #[test]
    fn what_warms_up_does_not_count() {
        let mut grid = grids(2, 1, Beat::InStep).remove(0);
        let start = grid.start;
        // Woken at once: deadlines 1 and 2 are of the warm-up.
        let mut now = start;
        while let Some(deadline) = grid.next_after(now) {
            now = deadline;
            grid.woke_at(now, PERIOD);
        }
        let outcome = grid.finish_at(now);
        assert_eq!(outcome.latenesses, [0; 5]);
        assert_eq!((outcome.elapsed, outcome.spun), (PERIOD * 5, PERIOD * 5));
    }

    #[test]
    fn threads_wait_together_or_apart() {
        let firsts = |beat| {
            let firsts = grids(0, 4, beat).into_iter().map(|mut grid| {
                let first = grid.next_after(Instant::ZERO).unwrap();
                first.duration_since(Instant::ZERO)
            });
            firsts.collect::<Vec<_>>()
        };
        assert_eq!(firsts(Beat::InStep), [PERIOD * 2; 4]);
        let quarters = [8, 9, 10, 11].map(|quarter| PERIOD * quarter / 4);
        assert_eq!(firsts(Beat::Staggered), quarters);
        assert_ne!(firsts(Beat::AtRandom)[0], firsts(Beat::AtRandom)[1]);
    }

    #[test]
    fn one_of_several_reads_the_processor_time() {
        let outcomes = grids(0, 3, Beat::InStep).into_iter().map(Grid::finish);
        let outcomes: Vec<_> = outcomes.collect();
        let metered: Vec<_> = outcomes.iter().map(|it| it.processor.is_some()).collect();
        assert_eq!(metered, [true, false, false]);
        assert!(together(outcomes).processor.is_some());
    }
}
