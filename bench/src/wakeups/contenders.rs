//! Everyone who is compared: one file each.

mod go;
mod punctual;
mod threads;
mod tokio;

use super::workload::{Task, Workload};
use crate::failure::Failure;
use crate::os::{Meter, sleeps};
use crate::statistics::nanos;
use crate::waiting::grid::Outcome;
use ::punctual::{Instant, Native};
use std::time::Duration;

pub use self::punctual::Driver;
pub use go::{Go, NAME as GO, PROGRAM as GO_PROGRAM};
pub use threads::Threads;
pub use tokio::{NAME as TOKIO, Tokio};

/// A way of keeping many timers, which keeps what it has learned from turn to turn.
pub trait Contender {
    fn name(&self) -> &'static str;

    /// The share of its period by which each timer may be late; `None` if it knows no such thing.
    fn tolerance(&self) -> Option<f64>;

    /// Keeps all timers for as long as a turn takes.
    fn keep(&mut self, workload: &Workload) -> Result<Turn, Failure>;
}

/// How a turn went.
#[derive(Debug, Clone, Default)]
pub struct Turn {
    /// Latenesses are counted from deadlines, not from the ends of windows.
    pub outcome: Outcome,
    /// How often its threads went to sleep, and so were woken.
    pub sleeps: u64,
    /// How often it says it was woken.
    pub wakeups: Option<u64>,
    /// How many timers fired more than a microsecond after the ends of their windows.
    pub beyond_window: Option<u64>,
}

/// A turn starts so long after everybody is told of its timers: setting up is not what is measured.
pub const LEAD: Duration = Duration::from_millis(20);

/// What a turn took of this process.
struct Account {
    os: Native,
    processor: Duration,
    sleeps: u64,
    start: Instant,
}

impl Account {
    fn open() -> Self {
        let os = Native::new();
        let (processor, sleeps) = (Meter::Process.read(), sleeps());
        let start = os.now() + LEAD;
        Self {
            os,
            processor,
            sleeps,
            start,
        }
    }

    fn close(self, latenesses: Vec<u64>, missed: u32) -> Turn {
        let elapsed = self.os.now().duration_since(self.start);
        Turn {
            sleeps: sleeps() - self.sleeps,
            outcome: Outcome {
                latenesses,
                missed: Some(missed),
                passed: Vec::new(),
                processor: Some(Meter::Process.read().saturating_sub(self.processor)),
                spun: None,
                elapsed,
            },
            wakeups: None,
            beyond_window: None,
        }
    }
}

/// The deadlines of one timer, for contenders that know only the next one. Those that have passed
/// when their turn comes are skipped and counted.
struct Deadlines {
    os: Native,
    next: Instant,
    period: Duration,
    end: Instant,
    missed: u32,
    latenesses: Vec<u64>,
}

impl Deadlines {
    fn of(task: Task, start: Instant, duration: Duration) -> Self {
        let most = duration.as_nanos() / task.period.as_nanos() + 2;
        Self {
            os: Native::new(),
            next: task.first(start),
            period: task.period,
            end: start + duration,
            missed: 0,
            latenesses: Vec::with_capacity(usize::try_from(most).unwrap_or(0)),
        }
    }

    /// The first that has not passed.
    fn next(&mut self) -> Option<Instant> {
        let now = self.os.now();
        while self.next <= now {
            self.missed += 1;
            self.next += self.period;
        }
        (self.next < self.end).then_some(self.next)
    }

    /// It fired.
    fn fired(&mut self) {
        self.latenesses
            .push(nanos(self.os.now().duration_since(self.next)));
        self.next += self.period;
    }
}
