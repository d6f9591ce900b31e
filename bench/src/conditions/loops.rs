//! Loops that wait, each in a thread of its own, and a driver beside one.

use super::condition::Waiting;
use crate::failure::Failure;
use crate::os::SlackGuard;
use crate::waiting::DEFAULT_SLACK;
use crate::waiting::grid::{Block, Outcome, on_grid};
use clap::ValueEnum;
use punctual::driver::DriverThread;
use punctual::os::Slice;
use punctual::{Driver, Native, Sleeper};
use serde::{Deserialize, Serialize};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

/// Which slice a thread that waits has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SliceOf {
    #[value(name = "short")]
    Short,
    #[value(name = "as-found")]
    ThreadAsFound,
}

impl SliceOf {
    pub const ALL: [Self; 2] = [Self::Short, Self::ThreadAsFound];

    /// As it ships, but for the slice.
    fn sleeper(self) -> Sleeper {
        let slice = match self {
            Self::Short => Slice::Short,
            Self::ThreadAsFound => Slice::Unchanged,
        };
        Sleeper::new().with_slice(slice)
    }
}

/// What became of the waits of a kind.
#[derive(Debug, Serialize, Deserialize)]
pub struct Answer {
    pub who: String,
    pub outcome: Outcome,
}

/// How many loops "many" are: several for each processor of a small machine.
const MANY: u32 = 8;

/// They are made once, so that they have the groups of the time when they were made.
pub struct Loops {
    threads: Vec<Thread>,
    /// One for each slice.
    drivers: Option<[DriverThread; 2]>,
}

struct Thread {
    blocks: Sender<(SliceOf, Block)>,
    outcomes: Receiver<Outcome>,
}

impl Loops {
    pub fn start(waiting: Waiting) -> Result<Self, Failure> {
        let count = match waiting {
            Waiting::Loops => MANY,
            Waiting::Loop | Waiting::DriverAndLoop => 1,
        };
        let start = |slice: SliceOf| Driver::new().start_with(slice.sleeper());
        let drivers = match waiting {
            Waiting::DriverAndLoop => {
                let [short, found] = SliceOf::ALL;
                Some([start(short)?, start(found)?])
            }
            Waiting::Loop | Waiting::Loops => None,
        };
        Ok(Self {
            threads: (0..count)
                .map(|index| Thread::start(index, count))
                .collect(),
            drivers,
        })
    }

    /// All of them at once.
    pub fn wait(&self, slice: SliceOf, block: Block) -> Result<Vec<Answer>, Failure> {
        let ticks = self.begin_ticks(slice, block)?;
        for thread in &self.threads {
            thread.blocks.send((slice, block))?;
        }
        let outcomes = self.threads.iter().map(|thread| thread.outcomes.recv());
        let outcomes = outcomes.collect::<Result<Vec<_>, _>>()?;
        let mut answers = vec![Answer {
            who: "loop".to_owned(),
            outcome: together(outcomes),
        }];
        if let Some(ticks) = ticks {
            answers.push(Answer {
                who: "driver".to_owned(),
                outcome: ticks.end(block),
            });
        }
        Ok(answers)
    }

    fn begin_ticks(&self, slice: SliceOf, block: Block) -> Result<Option<Ticks>, Failure> {
        let place = usize::from(slice == SliceOf::ThreadAsFound);
        let drivers = self.drivers.as_ref();
        drivers
            .map(|drivers| Ticks::begin(&drivers[place], block))
            .transpose()
    }
}

impl Thread {
    /// The loops' deadlines are spread evenly over a period.
    fn start(index: u32, count: u32) -> Self {
        let (blocks, to_do) = mpsc::channel();
        let (done, outcomes) = mpsc::channel();
        thread::spawn(move || wait_for_all(&to_do, &done, index, count));
        Self { blocks, outcomes }
    }
}

fn wait_for_all(
    to_do: &Receiver<(SliceOf, Block)>,
    done: &Sender<Outcome>,
    index: u32,
    count: u32,
) {
    let _slack = SlackGuard::set(DEFAULT_SLACK);
    let mut sleepers = SliceOf::ALL.map(SliceOf::sleeper);
    for (slice, block) in to_do {
        let sleeper = &mut sleepers[usize::from(slice == SliceOf::ThreadAsFound)];
        thread::sleep(block.period * index / count);
        sleeper.resume();
        let mut spun = Duration::ZERO;
        let outcome = on_grid(Native::new(), block, |deadline| {
            spun += sleeper.sleep_until(deadline).spun;
        });
        // The other sleeper of this thread is not to have what this one holds.
        sleeper.pause();
        let outcome = Outcome {
            spun: Some(spun),
            ..outcome
        };
        if done.send(outcome).is_err() {
            return;
        }
    }
}

/// A timer of a driver that goes on until it is ended.
struct Ticks {
    beat: punctual::driver::Timer,
    /// Latenesses in nanoseconds, and how many were missed.
    ticks: Receiver<(Duration, u64)>,
}

impl Ticks {
    fn begin(driver: &DriverThread, block: Block) -> Result<Self, Failure> {
        let (sender, ticks) = mpsc::channel();
        let beat = driver.handle().every(block.period, move |tick| {
            // Nobody listens any more when the block is over.
            let _ = sender.send((tick.lateness(), tick.missed));
        })?;
        Ok(Self { beat, ticks })
    }

    fn end(self, block: Block) -> Outcome {
        self.beat.cancel();
        let ticks: Vec<_> = self.ticks.try_iter().collect();
        let missed: u64 = ticks.iter().map(|&(_, missed)| missed).sum();
        Outcome {
            latenesses: ticks
                .iter()
                .map(|&(lateness, _)| crate::statistics::nanos(lateness))
                .collect(),
            missed: u32::try_from(missed).ok(),
            elapsed: block.period * block.periods,
            ..Outcome::default()
        }
    }
}

/// Of several loops, as one with all their waits.
fn together(outcomes: Vec<Outcome>) -> Outcome {
    outcomes
        .into_iter()
        .reduce(|mut all, next| {
            all.latenesses.extend(next.latenesses);
            all.passed.extend(next.passed);
            Outcome {
                missed: all.missed.zip(next.missed).map(|(a, b)| a + b),
                processor: all.processor.zip(next.processor).map(|(a, b)| a + b),
                spun: all.spun.zip(next.spun).map(|(a, b)| a + b),
                elapsed: all.elapsed + next.elapsed,
                ..all
            }
        })
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_are_counted_together() {
        let outcome = |latenesses: &[u64], missed| Outcome {
            latenesses: latenesses.to_vec(),
            missed: Some(missed),
            passed: vec![7; missed as usize],
            spun: Some(Duration::from_millis(1)),
            elapsed: Duration::from_millis(10),
            processor: None,
        };
        let all = together(vec![outcome(&[1, 2], 0), outcome(&[3], 2)]);
        assert_eq!(all.latenesses, [1, 2, 3]);
        assert_eq!((all.missed, all.passed), (Some(2), vec![7, 7]));
        assert_eq!(all.spun, Some(Duration::from_millis(2)));
        assert_eq!(all.elapsed, Duration::from_millis(20));
        assert_eq!(all.processor, None);
    }

    #[test]
    fn every_kind_answers_for_all_its_waits() {
        let block = Block {
            period: Duration::from_millis(1),
            periods: 3,
        };
        for waiting in Waiting::value_variants() {
            let loops = Loops::start(*waiting).unwrap();
            for slice in SliceOf::ALL {
                let answers = loops.wait(slice, block).unwrap();
                let outcome = &answers[0].outcome;
                let deadlines = outcome.latenesses.len() + outcome.passed.len();
                let count = if *waiting == Waiting::Loops { MANY } else { 1 };
                assert_eq!(deadlines, 3 * count as usize);
                let has_driver = *waiting == Waiting::DriverAndLoop;
                assert_eq!(answers.len(), 1 + usize::from(has_driver));
            }
        }
    }
}
