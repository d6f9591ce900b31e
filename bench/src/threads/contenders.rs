//! Who waits: each thread with a way of its own, but tokio's, whose tasks share its workers.

use super::{Beat, Condition, PERIOD, PERIODS};
use crate::failure::Failure;
use crate::os::{Meter, SlackGuard};
use crate::statistics::nanos;
use crate::waiting::DEFAULT_SLACK;
use crate::waiting::grid::Outcome;
use fastrand::Rng;
use punctual::{Instant, Native, Sleeper};
use std::thread;
use std::time::Duration;
use tokio::runtime::Builder;

pub const PUNCTUAL: &str = "punctual";
pub const COARSE: &str = "punctual, coarse";
pub const NAMES: [&str; 5] = [
    PUNCTUAL,
    COARSE,
    "spin_sleep",
    "std::thread::sleep",
    "tokio",
];

/// A way to wait for many threads.
#[derive(Clone, Copy)]
pub struct Contender {
    pub name: &'static str,
    way: Way,
}

#[derive(Clone, Copy)]
enum Way {
    /// Makes what a thread keeps, and is called in it.
    Threads(fn() -> Wait),
    Tasks,
}

type Wait = Box<dyn FnMut(Instant) -> Duration>;

/// In the order of the table.
pub const ALL: [Contender; 5] = [
    Contender {
        name: NAMES[0],
        way: Way::Threads(|| sleeping(Sleeper::new())),
    },
    Contender {
        name: NAMES[1],
        way: Way::Threads(|| sleeping(Sleeper::new().coarse())),
    },
    Contender {
        name: NAMES[2],
        way: Way::Threads(|| for_the_rest(spin_sleep::sleep)),
    },
    Contender {
        name: NAMES[3],
        way: Way::Threads(|| for_the_rest(thread::sleep)),
    },
    Contender {
        name: NAMES[4],
        way: Way::Tasks,
    },
];

pub fn place(contender: Contender) -> usize {
    let found = NAMES.iter().position(|&name| name == contender.name);
    found.unwrap_or(NAMES.len())
}

fn sleeping(mut sleeper: Sleeper) -> Wait {
    Box::new(move |deadline| sleeper.sleep_until(deadline).spun)
}

/// With a call that takes a duration. What it spins it does not tell.
fn for_the_rest(sleep: fn(Duration)) -> Wait {
    let os = Native::new();
    Box::new(move |deadline| {
        sleep(deadline.duration_since(os.now()));
        Duration::ZERO
    })
}

impl Contender {
    /// All threads for a block, half of which counts.
    pub fn wait(self, condition: Condition, round: u32) -> Result<Outcome, Failure> {
        // Until all threads have started.
        let start = Native::new().now() + START + STARTING * condition.threads;
        let beats =
            (0..condition.threads).map(|number| Beats::new(condition, number, start, round));
        match self.way {
            Way::Threads(make) => in_threads(beats, make),
            Way::Tasks => in_tasks(beats),
        }
    }
}

const START: Duration = Duration::from_millis(20);
const STARTING: Duration = Duration::from_micros(200);

/// The deadlines of one thread, and how late each was met.
struct Beats {
    os: Native,
    condition: Condition,
    random: Rng,
    /// Of the first deadline but one.
    start: Instant,
    index: u32,
    deadline: Instant,
    lateness: Vec<u64>,
    passed: Vec<u64>,
    spun: Duration,
}

impl Beats {
    fn new(condition: Condition, number: u32, start: Instant, round: u32) -> Self {
        let offset = match condition.beat {
            Beat::Staggered => PERIOD * number / condition.threads,
            Beat::InStep | Beat::AtRandom => Duration::ZERO,
        };
        Self {
            os: Native::new(),
            condition,
            random: Rng::with_seed(u64::from(round) << 32 | u64::from(number)),
            start: start + offset,
            index: 0,
            deadline: start,
            lateness: Vec::with_capacity(2 * PERIODS as usize),
            passed: Vec::new(),
            spun: Duration::ZERO,
        }
    }

    /// Whether what comes now counts.
    fn counts(&self, now: Instant) -> bool {
        now >= self.start + PERIOD * PERIODS
    }

    fn is_over(&self, now: Instant) -> bool {
        now >= self.start + PERIOD * 2 * PERIODS
    }

    fn next(&mut self) -> Option<Instant> {
        let now = self.os.now();
        if self.is_over(now) {
            return None;
        }
        if self.condition.beat == Beat::AtRandom {
            self.deadline = now.max(self.start) + PERIOD.mul_f64(2.0 * self.random.f64());
            return Some(self.deadline);
        }
        loop {
            self.index += 1;
            self.deadline = self.start + PERIOD * self.index;
            if now < self.deadline {
                return Some(self.deadline);
            }
            if self.counts(now) {
                self.passed.push(nanos(now - self.deadline));
            }
        }
    }

    fn woke(&mut self, spun: Duration) {
        let now = self.os.now();
        if self.counts(self.deadline) {
            self.lateness.push(nanos(now - self.deadline));
            self.spun += spun;
        }
    }
}

/// The processor time of the half that counts, and what all threads say.
fn together(half: Half, all: impl IntoIterator<Item = Beats>) -> Outcome {
    let mut outcome = Outcome {
        processor: Some(half.processor),
        elapsed: half.elapsed,
        ..Outcome::default()
    };
    let mut spun = Duration::ZERO;
    for beats in all {
        outcome.latenesses.extend(beats.lateness);
        outcome.passed.extend(beats.passed);
        spun += beats.spun;
    }
    outcome.missed = u32::try_from(outcome.passed.len()).ok();
    outcome.spun = Some(spun);
    outcome
}

struct Half {
    processor: Duration,
    elapsed: Duration,
}

/// Sleeps through a block, and measures the half that counts.
fn measure_half(start: Instant) -> Half {
    let mut sleeper = Sleeper::new().coarse();
    let (begin, end) = (start + PERIOD * PERIODS, start + PERIOD * (2 * PERIODS - 1));
    let began = sleeper.sleep_until(begin).woke;
    let used = Meter::Process.read();
    let ended = sleeper.sleep_until(end).woke;
    Half {
        processor: Meter::Process.read().saturating_sub(used),
        elapsed: ended - began,
    }
}

fn in_threads(all: impl Iterator<Item = Beats>, make: fn() -> Wait) -> Result<Outcome, Failure> {
    let all: Vec<Beats> = all.collect();
    let start = all.first().ok_or("no threads")?.start;
    let threads = all.into_iter().map(|mut beats| {
        thread::Builder::new().stack_size(STACK).spawn(move || {
            let _slack = SlackGuard::set(DEFAULT_SLACK);
            let mut wait = make();
            while let Some(deadline) = beats.next() {
                let spun = wait(deadline);
                beats.woke(spun);
            }
            beats
        })
    });
    let threads = threads.collect::<Result<Vec<_>, _>>()?;
    let half = measure_half(start);
    let all = threads.into_iter().map(thread::JoinHandle::join);
    let all: Result<Vec<Beats>, _> = all.collect();
    Ok(together(
        half,
        all.map_err(|_| "a thread that waited has panicked")?,
    ))
}

const STACK: usize = 256 << 10;

/// On a runtime of as many workers as processors.
fn in_tasks(all: impl Iterator<Item = Beats>) -> Result<Outcome, Failure> {
    let runtime = Builder::new_multi_thread().enable_time().build()?;
    let all: Vec<Beats> = all.collect();
    let start = all.first().ok_or("no tasks")?.start;
    let tasks: Vec<_> = all
        .into_iter()
        .map(|beats| runtime.spawn(task(beats)))
        .collect();
    let half = measure_half(start);
    let all = runtime.block_on(async {
        let mut all = Vec::new();
        for task in tasks {
            all.push(task.await?);
        }
        Ok::<_, tokio::task::JoinError>(all)
    });
    Ok(together(half, all?))
}

async fn task(mut beats: Beats) -> Beats {
    while let Some(deadline) = beats.next() {
        if let Some(deadline) = beats.os.instant_to_std(deadline) {
            tokio::time::sleep_until(deadline.into()).await;
        }
        beats.woke(Duration::ZERO);
    }
    beats
}
