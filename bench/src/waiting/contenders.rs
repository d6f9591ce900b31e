//! Everyone who is compared: a name, and what is called.

use self::Peer::Punctual;
use super::grid::{Block, Grid, Outcome, together, wait_for_all};
use super::programs;
use crate::answering::Process;
use crate::failure::Failure;
use crate::go::Program;
use crate::os::{SlackGuard, waits};
use async_io::Timer;
use punctual::margin::{Budget, LateRate};
use punctual::os::Slice::{self, Unchanged};
use punctual::os::Spin;
use punctual::{Instant, Margin, Native, Os, Sleeper};
use spin_sleep::SpinSleeper;
use std::thread;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// Waits, and keeps what it has learned from turn to turn if it waits alone.
pub struct Contender {
    pub name: &'static str,
    slack: Duration,
    way: Way,
}

/// How it waits.
pub enum Way {
    /// Each thread has a sleeper of its own. The one of a thread that waits alone is kept.
    Sleeper(Box<Settings>, Option<Box<Sleeper>>),
    /// In each thread.
    Call(Call),
    /// One for all threads.
    Tokio(Runtime),
    /// Programs of their own, which wait for whole blocks.
    Go(Process),
    Cyclictest,
}

#[derive(Clone)]
pub struct Settings {
    margin: Margin,
    slice: Slice,
    /// Whether it chooses where a block starts, as a `Ticker` does.
    chooses: bool,
}

/// What is called until a deadline.
pub type Call = fn(&Native, Instant);

/// Who can take part.
#[derive(Clone, Copy)]
pub enum Peer {
    Punctual(fn() -> Margin, Slice, bool),
    Calls(Call),
    Tokio,
    Go,
    Cyclictest,
}

/// What Linux gives a thread that asks for nothing. Set for every contender that does not say otherwise, so that figures do
/// not depend on the slack that this process was started with.
pub const DEFAULT_SLACK: Duration = Duration::from_micros(50);

/// The least that can be asked for; zero would mean the default.
const LEAST_SLACK: Duration = Duration::from_nanos(1);

pub const PUNCTUAL: &str = "punctual";
pub const SLICE_AS_FOUND: &str = "punctual, slice as found";
pub const COARSE: &str = "punctual, coarse";
pub const SPIN_SLEEP: [&str; 2] = ["spin_sleep, slack 50 µs", "spin_sleep, slack 1 ns"];
pub const PURE_SPIN: &str = "pure spin";
/// The system's wait alone: late, and as cheap as it gets. What others cost beyond it is their spin.
pub const NO_SPIN: &str = "no spin, slack 1 ns";
const OWN_START: &str = "punctual, own start";
const THREAD_SLEEP: &str = "std::thread::sleep";
const TOKIO: &str = "tokio";

/// Who takes part among many threads unless others are asked for.
pub const IN_THREADS: [&str; 5] = [PUNCTUAL, COARSE, SPIN_SLEEP[0], THREAD_SLEEP, TOKIO];

/// Everyone, in the order of the table.
pub const ALL: [(&str, Peer); 15] = [
    (PUNCTUAL, Punctual(Margin::default, Slice::Short, false)),
    (OWN_START, Punctual(Margin::default, Slice::Short, true)),
    (SLICE_AS_FOUND, Punctual(Margin::default, Unchanged, false)),
    (COARSE, Punctual(Margin::coarse, Slice::Short, false)),
    (SPIN_SLEEP[0], Peer::Calls(spin_sleep)),
    (SPIN_SLEEP[1], Peer::Calls(spin_sleep)),
    ("SpinSleeper, slack 50 µs", Peer::Calls(spin_sleeper)),
    ("SpinSleeper, slack 1 ns", Peer::Calls(spin_sleeper)),
    (THREAD_SLEEP, Peer::Calls(thread_sleep)),
    (TOKIO, Peer::Tokio),
    ("async-io", Peer::Calls(async_io)),
    ("Go, time.Ticker", Peer::Go),
    ("cyclictest", Peer::Cyclictest),
    (NO_SPIN, Peer::Calls(no_spin)),
    (PURE_SPIN, Peer::Calls(pure_spin)),
];

impl Peer {
    /// How so many threads of it wait. Fails with the reason why it cannot take part here.
    pub fn way(self, threads: u32, go: &Program) -> Result<Way, String> {
        match self {
            Punctual(margin, slice, chooses) => Ok(Way::sleeper(margin(), slice, chooses)),
            Self::Calls(call) => Ok(Way::Call(call)),
            Self::Tokio => {
                let mut builder = match threads {
                    1 => Builder::new_current_thread(),
                    // As many workers as processors.
                    _ => Builder::new_multi_thread(),
                };
                let runtime = builder.enable_time().build().map(Way::Tokio);
                runtime.map_err(|error| format!("no runtime: {error}"))
            }
            _ if threads > 1 => Err("waits alone".to_owned()),
            Self::Go => go.start().map(Way::Go),
            Self::Cyclictest => programs::try_cyclictest().map(|()| Way::Cyclictest),
        }
    }
}

impl Way {
    fn sleeper(margin: Margin, slice: Slice, chooses: bool) -> Self {
        let settings = Settings {
            margin,
            slice,
            chooses,
        };
        Self::Sleeper(Box::new(settings), None)
    }
}

impl Settings {
    fn sleeper(&self) -> Sleeper {
        let sleeper = Sleeper::new().with_margin(self.margin.clone());
        sleeper.with_slice(self.slice)
    }
}

// What is called.

/// For what is left until the deadline, as most programs call it.
pub fn spin_sleep(os: &Native, deadline: Instant) {
    spin_sleep::sleep(deadline.duration_since(os.now()));
}

fn spin_sleeper(os: &Native, deadline: Instant) {
    if let Some(deadline) = os.instant_to_std(deadline) {
        SpinSleeper::default().sleep_until(deadline);
    }
}

/// A timerfd in an epoll set, which smol waits with, too.
fn async_io(os: &Native, deadline: Instant) {
    if let Some(deadline) = os.instant_to_std(deadline) {
        async_io::block_on(async {
            Timer::at(deadline).await;
        });
    }
}

/// Absolute `clock_nanosleep`.
pub fn no_spin(os: &Native, deadline: Instant) {
    while os.now() < deadline {
        waits::sleep_until(deadline.as_nanos());
    }
}

fn thread_sleep(os: &Native, deadline: Instant) {
    thread::sleep(deadline.duration_since(os.now()));
}

/// The least lateness that this clock can show.
fn pure_spin(os: &Native, deadline: Instant) {
    os.spin_until(deadline, Spin::Pause);
}

/// Threads of one block are many, and need little.
const STACK: usize = 256 << 10;

/// How long until all threads of a block have started.
const START: Duration = Duration::from_millis(20);
const STARTING: Duration = Duration::from_micros(200);

impl Contender {
    /// At the slack that its name says.
    pub fn new(name: &'static str, way: Way) -> Self {
        let slack = match name.ends_with("slack 1 ns") {
            true => LEAST_SLACK,
            false => DEFAULT_SLACK,
        };
        Self { name, slack, way }
    }

    pub fn calling(name: &'static str, call: Call) -> Self {
        Self::new(name, Way::Call(call))
    }

    /// Punctual, asked for so many late waits and for a budget.
    pub fn aiming_at(late_rate: LateRate, budget: Budget) -> Self {
        let margin = Margin::new(late_rate, budget);
        Self::new(PUNCTUAL, Way::sleeper(margin, Slice::Short, false))
    }

    /// Waits for each deadline of a block.
    pub fn wait(&mut self, block: Block) -> Result<Outcome, Failure> {
        let _slack = SlackGuard::set(self.slack);
        let lead = match block.threads {
            1 => Duration::ZERO,
            threads => START + STARTING * threads,
        };
        let mut grids = block.grids(Native::new().now() + lead);
        match &mut self.way {
            Way::Go(program) => programs::ticker(program, block),
            Way::Cyclictest => programs::cyclictest(block),
            Way::Tokio(runtime) => {
                let tasks: Vec<_> = grids.map(|grid| runtime.spawn(task(grid))).collect();
                let mut all = Vec::new();
                for task in tasks {
                    all.push(runtime.block_on(task)?);
                }
                Ok(together(all))
            }
            Way::Sleeper(settings, _) if block.threads > 1 => {
                let settings = settings.clone();
                in_threads(grids, self.slack, move |grid| {
                    let mut sleeper = settings.sleeper();
                    wait_for_all(grid, |deadline| sleeper.sleep_until(deadline).spun)
                })
            }
            Way::Sleeper(settings, kept) => {
                let mut grid = grids.next().ok_or("no threads")?;
                let sleeper = kept.get_or_insert_with(|| Box::new(settings.sleeper()));
                // While the others had their blocks the budget would have filled.
                sleeper.resume();
                if settings.chooses {
                    let start = sleeper.start_off_ticks(sleeper.now(), block.period.try_into()?);
                    grid = grid.starting_at(start.at());
                }
                let outcome = wait_for_all(grid, |deadline| sleeper.sleep_until(deadline).spun);
                // The others wait in the same thread, and not with its short slice.
                sleeper.pause();
                Ok(outcome)
            }
            Way::Call(call) if block.threads > 1 => {
                let call = *call;
                in_threads(grids, self.slack, move |grid| calls(call, grid))
            }
            Way::Call(call) => Ok(calls(*call, grids.next().ok_or("no threads")?)),
        }
    }
}

/// Each grid in a thread of its own, with the slack of the contender.
fn in_threads(
    grids: impl Iterator<Item = Grid>,
    slack: Duration,
    wait: impl Fn(Grid) -> Outcome + Clone + Send + 'static,
) -> Result<Outcome, Failure> {
    let start = |grid| {
        let wait = wait.clone();
        thread::Builder::new().stack_size(STACK).spawn(move || {
            let _slack = SlackGuard::set(slack);
            wait(grid)
        })
    };
    let threads = grids.map(start).collect::<Result<Vec<_>, _>>()?;
    let all = threads.into_iter().map(thread::JoinHandle::join);
    let all = all.collect::<Result<Vec<_>, _>>();
    Ok(together(
        all.map_err(|_| "a thread that waited has panicked")?,
    ))
}

fn calls(call: Call, grid: Grid) -> Outcome {
    let os = Native::new();
    wait_for_all(grid, |deadline| {
        call(&os, deadline);
        Duration::ZERO
    })
}

async fn task(mut grid: Grid) -> Outcome {
    let os = Native::new();
    while let Some(deadline) = grid.next_deadline() {
        if let Some(deadline) = os.instant_to_std(deadline) {
            tokio::time::sleep_until(deadline.into()).await;
        }
        grid.woke(Duration::ZERO);
    }
    grid.finish()
}
