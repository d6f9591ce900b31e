//! Tasks of a tokio runtime that sleep, with our driver and with tokio's own: very many, half a second at a time, and one
//! that keeps a beat of 1 kHz.

use super::rates::runtime;
use crate::failure::Failure;
use crate::os::{Meter, SlackGuard};
use crate::statistics::Spread;
use crate::waiting::DEFAULT_SLACK;
use fastrand::Rng;
use punctual::{Driver, Instant, Native, Sleeper};
use punctual_data::histogram::Histogram;
use punctual_data::quantity::whole_nanos;
use punctual_tokio::Time;
use std::future::poll_fn;
use std::task::{Context, Poll};
use std::thread;
use std::time::Duration;
use tokio::runtime::Builder;

pub const TASKS: u32 = 100_000;

/// So long each task sleeps on average; from half of that to one and a half.
const MEAN: Duration = Duration::from_millis(500);

/// From when all tasks are there.
const TURN: Duration = Duration::from_secs(2);

/// To start all tasks takes less.
const LEAD: Duration = Duration::from_millis(500);

/// What tokio itself promises.
const TOKIOS: Duration = Duration::from_millis(1);

const BEAT: Duration = Duration::from_millis(1);
const BEATS: u32 = 1_000;

/// What wakes the tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asleep {
    /// Our driver with a sleeper as it ships, and a tolerance.
    Driver(Duration),
    /// Our driver with a sleeper without a budget: it spins for whatever it waits for.
    Exact,
    /// Our driver as it ships, by the functions that take the place of tokio's, and a tolerance.
    Adapter(Duration),
    Tokio,
    /// One task that awaits an interval, on a runtime of so many threads.
    Beat {
        is_ours: bool,
        threads: usize,
    },
}

/// What a turn came to.
pub struct Turn {
    lateness: Histogram,
    processor: Duration,
    elapsed: Duration,
}

/// What all turns came to; spreads are of the turns.
pub struct Slept {
    pub deadlines_per_second: f64,
    pub processor_ns: Spread,
    pub p50_ns: Spread,
    pub p99_ns: u64,
    pub max_ns: u64,
}

impl Slept {
    /// `None`: there was no turn.
    pub fn of(turns: &[Turn]) -> Option<Self> {
        let mut all = Histogram::new();
        turns.iter().for_each(|turn| all.merge(&turn.lateness));
        let elapsed: Duration = turns.iter().map(|turn| turn.elapsed).sum();
        let each = |turn: &Turn| turn.processor.as_nanos() as f64 / turn.lateness.count() as f64;
        let median = |turn: &Turn| turn.lateness.quantile(0.5).as_nanos() as f64;
        Some(Self {
            deadlines_per_second: all.count() as f64 / elapsed.as_secs_f64(),
            processor_ns: Spread::of(turns.iter().map(each).collect())?,
            p50_ns: Spread::of(turns.iter().map(median).collect())?,
            p99_ns: whole_nanos(all.quantile(0.99)),
            max_ns: whole_nanos(all.max()),
        })
    }
}

impl Asleep {
    pub const ALL: [Self; 10] = [
        Self::Driver(Duration::ZERO),
        Self::Driver(TOKIOS),
        Self::Exact,
        Self::Adapter(Duration::ZERO),
        Self::Adapter(TOKIOS),
        Self::Tokio,
        Self::beat(true, 1),
        Self::beat(true, 2),
        Self::beat(false, 1),
        Self::beat(false, 2),
    ];

    const fn beat(is_ours: bool, threads: usize) -> Self {
        Self::Beat { is_ours, threads }
    }

    pub fn contender(self) -> &'static str {
        match self {
            Self::Driver(_) => "punctual",
            Self::Exact => "punctual, exact",
            Self::Adapter(_) | Self::Beat { is_ours: true, .. } => "punctual-tokio",
            Self::Tokio | Self::Beat { is_ours: false, .. } => "tokio",
        }
    }

    pub fn how(self) -> String {
        match self {
            Self::Beat { threads, .. } => format!("beat, threads {threads}"),
            Self::Tokio => "many".to_owned(),
            _ => format!("many, to {:?}", self.tolerance().unwrap_or_default()),
        }
    }

    pub fn tolerance(self) -> Option<Duration> {
        match self {
            Self::Driver(tolerance) | Self::Adapter(tolerance) => Some(tolerance),
            Self::Exact => Some(Duration::ZERO),
            Self::Tokio | Self::Beat { .. } => None,
        }
    }

    /// The place of tokio's in [`ALL`](Self::ALL), of ours.
    pub fn peer(self) -> Option<usize> {
        let peer = match self {
            Self::Tokio | Self::Beat { is_ours: false, .. } => return None,
            Self::Beat { threads, .. } => Self::beat(false, threads),
            _ => Self::Tokio,
        };
        Self::ALL.iter().position(|&other| other == peer)
    }

    pub fn turn(self) -> Result<Turn, Failure> {
        let _slack = SlackGuard::set(DEFAULT_SLACK);
        match self {
            Self::Beat { is_ours, threads } => beat(is_ours, threads),
            _ => self.many(),
        }
    }

    fn many(self) -> Result<Turn, Failure> {
        let runtime = Builder::new_multi_thread().enable_time().build()?;
        let driver = match self {
            Self::Exact => Some(Driver::new().start_with(Sleeper::new().exact())?),
            _ => self
                .tolerance()
                .map(|_| Driver::new().start())
                .transpose()?,
        };
        let timers = driver.as_ref().map(|driver| {
            let timers = driver.handle();
            timers.tolerating(self.tolerance().unwrap_or_default())
        });
        let os = Native::new();
        let start = os.now() + LEAD;
        let tasks: Vec<_> = (0..TASKS)
            .map(|number| {
                let task = Task::new(number, start);
                match &timers {
                    Some(timers) if matches!(self, Self::Adapter(_)) => {
                        let time = Time::with_driver(timers.clone());
                        runtime.spawn(task.sleep(move |_, std| time.sleep_until(std.into())))
                    }
                    Some(timers) => {
                        let timers = timers.clone();
                        runtime.spawn(task.sleep(move |deadline, _| timers.sleep_until(deadline)))
                    }
                    None => {
                        runtime.spawn(task.sleep(|_, std| tokio::time::sleep_until(std.into())))
                    }
                }
            })
            .collect();
        thread::sleep(start.duration_since(os.now()));
        let (began, used) = (os.now(), Meter::Process.read());
        thread::sleep((start + TURN).duration_since(began));
        let (elapsed, processor) = (os.now() - began, Meter::Process.read() - used);
        let mut lateness = Histogram::new();
        for task in tasks {
            let latenesses = runtime.block_on(task)?;
            latenesses
                .into_iter()
                .for_each(|late| lateness.record(late));
        }
        Ok(Turn {
            lateness,
            processor,
            elapsed,
        })
    }
}

/// One that sleeps again and again until the turn is over.
struct Task {
    os: Native,
    random: Rng,
    deadline: Instant,
    end: Instant,
}

impl Task {
    fn new(number: u32, start: Instant) -> Self {
        let mut random = Rng::with_seed(number.into());
        Self {
            os: Native::new(),
            deadline: start + MEAN.mul_f64(random.f64()),
            random,
            end: start + TURN,
        }
    }

    async fn sleep<F: Future>(
        mut self,
        until: impl Fn(Instant, std::time::Instant) -> F,
    ) -> Vec<Duration> {
        let mut latenesses = Vec::with_capacity(8);
        while self.deadline < self.end
            && let Some(deadline) = self.os.instant_to_std(self.deadline)
        {
            until(self.deadline, deadline).await;
            let now = self.os.now();
            latenesses.push(now - self.deadline);
            self.deadline = now + MEAN / 2 + MEAN.mul_f64(self.random.f64());
        }
        latenesses
    }
}

/// In a task, because a runtime of several threads runs only tasks on its workers.
fn beat(is_ours: bool, threads: usize) -> Result<Turn, Failure> {
    use tokio::time::Instant;
    let runtime = runtime(threads)?;
    let kept = match is_ours {
        true => runtime.spawn(async {
            let mut beats = punctual_tokio::interval_at(Instant::now() + BEAT, BEAT);
            keep(move |context| beats.poll_tick(context)).await
        }),
        false => runtime.spawn(async {
            let mut beats = tokio::time::interval_at(Instant::now() + BEAT, BEAT);
            keep(move |context| beats.poll_tick(context)).await
        }),
    };
    Ok(runtime.block_on(kept)?)
}

/// How late the task gets to run after each tick, counted from the tick's deadline.
async fn keep(mut poll_tick: impl FnMut(&mut Context<'_>) -> Poll<tokio::time::Instant>) -> Turn {
    let (began, used) = (std::time::Instant::now(), Meter::Process.read());
    let mut lateness = Histogram::new();
    for _ in 0..BEATS {
        let deadline = poll_fn(&mut poll_tick).await;
        lateness.record(deadline.elapsed());
    }
    Turn {
        lateness,
        processor: Meter::Process.read() - used,
        elapsed: began.elapsed(),
    }
}
