//! Very many tasks of a tokio runtime that sleep half a second at a time, with our driver and with
//! tokio's own.

use super::{ADAPTER, NOTHING, Sleeping, medians};
use crate::failure::Failure;
use crate::os::{Meter, SlackGuard};
use crate::simulation::rates::Spread;
use crate::statistics::{Figures, nanos};
use crate::waiting::grid::Outcome;
use crate::waiting::{DEFAULT_SLACK, PUNCTUAL};
use fastrand::Rng;
use punctual::driver::Handle;
use punctual::{Driver, Instant, Native, Sleeper};
use punctual_tokio::Time;
use std::thread;
use std::time::Duration;
use tokio::runtime::Builder;

pub const TASKS: u32 = 100_000;

/// So long each task sleeps on average; from half of that to one and a half.
const MEAN: Duration = Duration::from_millis(500);

/// From when all tasks are there.
pub const TURN: Duration = Duration::from_secs(2);

/// To start all tasks takes less.
const LEAD: Duration = Duration::from_millis(500);

/// What tokio itself promises.
const TOKIOS: Duration = Duration::from_millis(1);

/// Who wakes the tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sleepers {
    /// Our driver with a sleeper as it ships, and a tolerance.
    Driver(Duration),
    /// Our driver with a sleeper without a budget: it spins for whatever it waits for.
    Exact,
    /// Our driver as it ships, by the functions that take the place of tokio's, and a tolerance.
    Adapter(Duration),
    Tokio,
}

/// What a turn came to.
pub struct Slept {
    outcome: Outcome,
    deadlines: u64,
}

impl Sleepers {
    pub const ALL: [Self; 6] = [
        Self::Driver(Duration::ZERO),
        Self::Driver(TOKIOS),
        Self::Exact,
        Self::Adapter(Duration::ZERO),
        Self::Adapter(TOKIOS),
        Self::Tokio,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Driver(_) => PUNCTUAL,
            Self::Exact => "punctual, exact",
            Self::Adapter(_) => ADAPTER,
            Self::Tokio => "tokio",
        }
    }

    pub fn tolerance(self) -> Option<Duration> {
        match self {
            Self::Driver(tolerance) | Self::Adapter(tolerance) => Some(tolerance),
            Self::Exact => Some(Duration::ZERO),
            Self::Tokio => None,
        }
    }

    /// One turn.
    pub fn sleep(self) -> Result<Slept, Failure> {
        let _slack = SlackGuard::set(DEFAULT_SLACK);
        let runtime = Builder::new_multi_thread().enable_time().build()?;
        let driver = match self {
            Self::Tokio => None,
            Self::Exact => Some(Driver::new().start_with(Sleeper::new().exact())?),
            Self::Driver(_) | Self::Adapter(_) => Some(Driver::new().start()?),
        };
        let timers = driver.as_ref().map(|driver| {
            let timers = driver.handle();
            timers.tolerating(self.tolerance().unwrap_or_default())
        });
        let os = Native::new();
        let start = os.now() + LEAD;
        let all: Vec<_> = (0..TASKS)
            .map(|number| {
                let task = Task::new(number, start);
                match &timers {
                    Some(timers) if matches!(self, Self::Adapter(_)) => {
                        runtime.spawn(task.sleep_with_adapter(Time::with_driver(timers.clone())))
                    }
                    Some(timers) => runtime.spawn(task.sleep_with(timers.clone())),
                    None => runtime.spawn(task.sleep_with_tokio()),
                }
            })
            .collect();
        thread::sleep(start.duration_since(os.now()));
        let processor = Meter::Process.read();
        let began = os.now();
        thread::sleep((start + TURN).duration_since(began));
        let (elapsed, processor) = (os.now() - began, Meter::Process.read() - processor);
        let latenesses = runtime.block_on(async {
            let mut latenesses = Vec::new();
            for task in all {
                latenesses.extend(task.await?);
            }
            Ok::<_, Failure>(latenesses)
        })?;
        Ok(Slept {
            deadlines: latenesses.len() as u64,
            outcome: Outcome {
                latenesses,
                missed: Some(0),
                passed: Vec::new(),
                processor: Some(processor),
                spun: None,
                elapsed,
            },
        })
    }

    pub fn row(self, turns: &[Slept]) -> Result<Sleeping, Failure> {
        let outcomes: Vec<_> = turns.iter().map(|turn| turn.outcome.clone()).collect();
        let seconds: f64 = outcomes.iter().map(|it| it.elapsed.as_secs_f64()).sum();
        let deadlines: u64 = turns.iter().map(|turn| turn.deadlines).sum();
        let each = |turn: &Slept| {
            let processor = turn.outcome.processor.unwrap_or_default();
            processor.as_nanos() as f64 / turn.deadlines as f64
        };
        let tolerance = self.tolerance();
        Ok(Sleeping {
            contender: self.name(),
            tolerance_ns: tolerance.map(nanos),
            deadlines_per_second: deadlines as f64 / seconds,
            processor_ns_per_deadline: Spread::of(turns.iter().map(each).collect())
                .ok_or(NOTHING)?,
            p50_ns: medians(&outcomes)?,
            figures: Figures::of(&outcomes)?,
        })
    }
}

/// One that sleeps again and again until the turn is over.
struct Task {
    os: Native,
    random: Rng,
    deadline: Instant,
    end: Instant,
    latenesses: Vec<u64>,
}

impl Task {
    fn new(number: u32, start: Instant) -> Self {
        let mut task = Self {
            os: Native::new(),
            random: Rng::with_seed(number.into()),
            deadline: start,
            end: start + TURN,
            latenesses: Vec::with_capacity(8),
        };
        let phase = task.below(MEAN);
        task.deadline = start + phase;
        task
    }

    async fn sleep_with(mut self, timers: Handle) -> Vec<u64> {
        while self.deadline < self.end && timers.sleep_until(self.deadline).await.is_ok() {
            self.woke();
        }
        self.latenesses
    }

    async fn sleep_with_adapter(mut self, time: Time) -> Vec<u64> {
        while self.deadline < self.end {
            let Some(deadline) = self.os.instant_to_std(self.deadline) else {
                break;
            };
            time.sleep_until(deadline.into()).await;
            self.woke();
        }
        self.latenesses
    }

    async fn sleep_with_tokio(mut self) -> Vec<u64> {
        while self.deadline < self.end {
            let Some(deadline) = self.os.instant_to_std(self.deadline) else {
                break;
            };
            tokio::time::sleep_until(deadline.into()).await;
            self.woke();
        }
        self.latenesses
    }

    fn woke(&mut self) {
        let now = self.os.now();
        let lateness = now - self.deadline;
        self.latenesses.push(nanos(lateness));
        self.deadline = now + MEAN / 2 + self.below(MEAN);
    }

    /// Something below this bound, by chance.
    fn below(&mut self, bound: Duration) -> Duration {
        bound.mul_f64(self.random.f64())
    }
}
