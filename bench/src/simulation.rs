//! Simulating, side by side: how many wake-ups a second, and how long a simulated day takes.

mod aims;
mod contest;
mod day;
mod engine;
pub mod memory;
mod model;
mod nexosim;
pub mod rates;
mod report;
mod simpy;
mod workload;

use crate::aim::Aim;
use crate::failure::Failure;
use crate::machine::{Invocation, Machine};
use crate::progress::Progress;
use contest::{Contest, EngineRow, PeerRow, THREADS, TURN};
use day::{Day, HOURS_OF_A_DAY};
use memory::Memory;
use rates::{Spread, per_second};
use serde::Serialize;
use std::time::Duration;

/// What is measured.
#[derive(Debug, clap::Args)]
pub struct Plan {
    /// Prints one JSON object instead of tables.
    #[arg(long)]
    pub json: bool,

    /// Takes ten seconds instead of a minute, and computes a day from an hour. The figures are too rough to publish.
    #[arg(long)]
    pub quick: bool,
}

/// Everything that was measured.
#[derive(Debug, Serialize)]
pub struct Report {
    pub machine: Machine,
    pub command: Invocation,
    /// What is counted.
    pub event: &'static str,
    pub engine: Vec<EngineRow>,
    pub engine_at_default_costs: Vec<EngineRow>,
    pub peers: Vec<PeerRow>,
    /// The median of the repetitions.
    pub model_sleeps_per_second: f64,
    pub model: Model,
    /// On the whole simulated Windows, as in `days`.
    pub day_of_1khz_seconds: f64,
    pub days: Vec<Day>,
    pub memory: Memory,
    pub aims: Vec<Aim>,
}

/// The whole simulated Windows.
#[derive(Debug, Serialize)]
pub struct Model {
    pub version: &'static str,
    pub threads: u32,
    pub sleeps_per_second: Spread,
}

const EVENT: &str = "one wake-up: a thread reads the clock, waits on a bell with a timeout and \
                     blocks; its timer ends, it is made ready, is dispatched and runs";

/// What a simulated hour counts for in the progress: it takes about as long as a turn.
const HOUR: Duration = TURN;

/// Of all threads in one turn of the contest: the slowest turn takes a second or two, the fastest
/// still a tenth of one.
const SLEEPS: u64 = 2_000_000;
const QUICK_SLEEPS: u64 = 500_000;

const REPETITIONS: u32 = 5;
const QUICK_REPETITIONS: u32 = 3;

impl Plan {
    /// Measures everything; about a minute.
    pub fn run(&self) -> Result<Report, Failure> {
        let contest = self.contest();
        let progress = Progress::new(self.duration(&contest))?;
        let (mut engine, mut engine_at_default_costs) = (Vec::new(), Vec::new());
        let mut peers = Vec::new();
        for threads in THREADS {
            let rows = contest.run(threads, &progress)?;
            engine.push(rows.engine);
            engine_at_default_costs.push(rows.at_default_costs);
            peers.extend(rows.peers);
        }
        let model = self.model(&progress)?;
        let days = self.days(&progress)?;
        progress.announce("memory".to_owned());
        let memory = Memory::measure()?;
        let mut aims = aims::of_contest(&engine, &peers);
        aims.extend(aims::of_model(
            model.sleeps_per_second.median,
            &days,
            &memory,
        ));
        Ok(Report {
            machine: Machine::here(),
            command: Invocation::this(),
            event: EVENT,
            engine,
            engine_at_default_costs,
            peers,
            model_sleeps_per_second: model.sleeps_per_second.median,
            model,
            day_of_1khz_seconds: days[0].day_seconds,
            days: days.into(),
            memory,
            aims,
        })
    }

    fn contest(&self) -> Contest {
        Contest {
            sleeps: if self.quick { QUICK_SLEEPS } else { SLEEPS },
            repetitions: self.repetitions(),
            without_simpy: simpy::find().err(),
        }
    }

    fn repetitions(&self) -> u32 {
        if self.quick {
            QUICK_REPETITIONS
        } else {
            REPETITIONS
        }
    }

    fn hours(&self) -> u64 {
        if self.quick { 1 } else { HOURS_OF_A_DAY }
    }

    fn duration(&self, contest: &Contest) -> Duration {
        let hours = u32::try_from(self.hours()).unwrap_or(u32::MAX);
        contest.duration() + TURN * self.repetitions() + 2 * HOUR * hours
    }

    fn model(&self, progress: &Progress) -> Result<Model, Failure> {
        progress.announce(model::VERSION.to_owned());
        let sleeps = if self.quick { QUICK_SLEEPS } else { SLEEPS };
        let each = sleeps / u64::from(model::SLEEPERS);
        let mut rates = Vec::new();
        for _ in 0..self.repetitions() {
            let events = each * u64::from(model::SLEEPERS);
            rates.push(per_second(events, model::sleep(each)?));
            progress.advance(TURN);
        }
        Ok(Model {
            version: model::VERSION,
            threads: model::SLEEPERS,
            sleeps_per_second: Spread::of(rates).ok_or("the model had no turn")?,
        })
    }

    /// The simulated Windows first.
    fn days(&self, progress: &Progress) -> Result<[Day; 2], Failure> {
        let hours = self.hours();
        let weight = HOUR * u32::try_from(hours).unwrap_or(u32::MAX);
        progress.announce(format!("{hours} simulated hours, {}", model::VERSION));
        let windows = Day::on_windows(hours)?;
        progress.advance(weight);
        progress.announce(format!("{hours} simulated hours"));
        let plain = Day::on_the_plain_machine(hours)?;
        progress.advance(weight);
        Ok([windows, plain])
    }
}
