//! Many periodic timers, side by side: how many wake-ups, for how much processor time, and how late.

mod aims;
mod contenders;
mod report;
mod workload;

use crate::aim::Aim;
use crate::failure::Failure;
use crate::go::Program;
use crate::machine::{Invocation, Machine};
use crate::progress::Progress;
use crate::statistics::Figures;
use contenders::{Contender, Driver, GO_PROGRAM, Go, Threads, Tokio, Turn};
use serde::Serialize;
use std::time::Duration;
use workload::Workload;

/// The shares of its period by which each timer may be late.
pub const TOLERANCES: [f64; 4] = [0.0, 0.01, 0.1, 0.5];

/// What is measured.
#[derive(Debug)]
pub struct Plan {
    pub timers: Vec<u32>,
    pub quick: bool,
}

/// Everything that was measured.
#[derive(Debug, Serialize)]
pub struct Report {
    pub machine: Machine,
    pub command: Invocation,
    /// How the timers are made.
    pub timers: &'static str,
    pub rows: Vec<Row>,
    pub aims: Vec<Aim>,
}

/// One contender with so many timers.
#[derive(Debug, Serialize)]
pub struct Row {
    pub timers: u32,
    pub contender: &'static str,
    /// A share of each period. `None`: the contender knows no such thing.
    pub tolerance: Option<f64>,
    /// Deadlines per second, of all timers together.
    pub deadlines_per_second: f64,
    /// How often its threads went to sleep, and so were woken, by the kernel's count.
    pub wakeups_per_second: Option<f64>,
    /// How often it says that the system woke it.
    pub own_wakeups_per_second: Option<f64>,
    /// The least by which all timers fire within their windows, computed from these.
    pub least_wakeups_per_second: f64,
    pub own_wakeups_over_least: Option<f64>,
    /// Timers that fired more than a microsecond after the ends of their windows.
    pub beyond_window_share: Option<f64>,
    #[serde(flatten)]
    pub figures: Option<Figures>,
    /// Why there are no figures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

const TIMERS: &str = "periods from 1 ms to 1 s, one at random in each of as many equal parts as \
                      there are timers; phases at random; always the same";

/// How long everyone keeps its timers before the next has its turn: as long as the longest period.
const TURN: Duration = Duration::from_secs(1);
const QUICK_TURN: Duration = Duration::from_millis(500);

/// Turns each, without the first, which warms up.
const TURNS: u32 = 3;
const QUICK_TURNS: u32 = 1;

/// Somebody who takes part, or cannot.
struct Series {
    contender: Result<Box<dyn Contender>, Absent>,
    turns: Vec<Turn>,
}

struct Absent {
    name: &'static str,
    reason: String,
}

impl Plan {
    /// Measures everything; a minute and a half.
    pub fn run(&self) -> Result<Report, Failure> {
        let go = Program::build(GO_PROGRAM);
        let everyone = u32::try_from(TOLERANCES.len() + 3)?;
        let counts = u32::try_from(self.timers.len())?;
        let progress = Progress::new(self.turn() * (self.turns() + 1) * everyone * counts)?;
        let mut rows = Vec::new();
        for &timers in &self.timers {
            rows.extend(self.rows(timers, &go, &progress)?);
        }
        Ok(Report {
            machine: Machine::here(),
            command: Invocation::this(),
            timers: TIMERS,
            aims: aims::of(&rows),
            rows,
        })
    }

    fn turn(&self) -> Duration {
        if self.quick { QUICK_TURN } else { TURN }
    }

    fn turns(&self) -> u32 {
        if self.quick { QUICK_TURNS } else { TURNS }
    }

    /// Everyone in turn, there and back again, so that nobody always follows the same other.
    fn rows(&self, timers: u32, go: &Program, progress: &Progress) -> Result<Vec<Row>, Failure> {
        let workload = Workload::of(timers, self.turn());
        let mut all = everyone(go)?;
        let mut order: Vec<usize> = (0..all.len()).collect();
        for turn in 0..=self.turns() {
            for &place in &order {
                let Series { contender, turns } = &mut all[place];
                if let Ok(contender) = contender {
                    progress.announce(format!("{timers} timers, {}", contender.name()));
                    let kept = contender.keep(&workload)?;
                    // The first turn warms up: caches, processors, and who learns.
                    if turn > 0 {
                        turns.push(kept);
                    }
                }
                progress.advance(self.turn());
            }
            order.reverse();
        }
        all.into_iter()
            .map(|series| series.row(timers, &workload))
            .collect()
    }
}

fn everyone(go: &Program) -> Result<Vec<Series>, Failure> {
    let mut all: Vec<Result<Box<dyn Contender>, Absent>> = Vec::new();
    for tolerance in TOLERANCES {
        all.push(Ok(Box::new(Driver::tolerating(tolerance))));
    }
    all.push(Ok(Box::new(Tokio::new()?)));
    all.push(match Go::start(go) {
        Ok(go) => Ok(Box::new(go)),
        Err(reason) => Err(Absent {
            name: contenders::GO,
            reason,
        }),
    });
    all.push(Ok(Box::new(Threads)));
    let series = |contender| Series {
        contender,
        turns: Vec::new(),
    };
    Ok(all.into_iter().map(series).collect())
}

impl Series {
    fn row(self, timers: u32, workload: &Workload) -> Result<Row, Failure> {
        let Self { contender, turns } = self;
        let (name, tolerance, note) = match contender {
            Ok(contender) => (contender.name(), contender.tolerance(), None),
            Err(absent) => (absent.name, None, Some(absent.reason)),
        };
        let seconds: f64 = turns
            .iter()
            .map(|turn| turn.outcome.elapsed.as_secs_f64())
            .sum();
        let per_second = |count: u64| count as f64 / seconds;
        let sleeps = turns.iter().map(|turn| turn.sleeps).sum();
        let own: Option<u64> = turns.iter().map(|turn| turn.wakeups).sum();
        let beyond: Option<u64> = turns.iter().map(|turn| turn.beyond_window).sum();
        let outcomes: Vec<_> = turns.into_iter().map(|turn| turn.outcome).collect();
        let figures = match note {
            None => Some(Figures::of(&outcomes)?),
            Some(_) => None,
        };
        let planned = workload.duration.as_secs_f64();
        let least = workload.least_wakeups(tolerance.unwrap_or(0.0)) as f64 / planned;
        let own = own.filter(|_| figures.is_some()).map(per_second);
        Ok(Row {
            timers,
            contender: name,
            tolerance,
            deadlines_per_second: workload.firings() as f64 / planned,
            wakeups_per_second: figures.is_some().then(|| per_second(sleeps)),
            own_wakeups_per_second: own,
            least_wakeups_per_second: least,
            own_wakeups_over_least: own.map(|own| own / least),
            beyond_window_share: beyond
                .zip(figures.as_ref())
                .map(|(beyond, figures)| beyond as f64 / figures.waits as f64),
            figures,
            note,
        })
    }
}
