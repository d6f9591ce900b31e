//! Many threads of one process that wait: is a process with Punctual ever worse than without a spin?

mod contenders;
mod pairs;
mod report;

use crate::failure::Failure;
use crate::given::{is_among, without_repetitions};
use crate::machine::{Invocation, Machine};
use crate::progress::Progress;
use crate::statistics::Figures;
use crate::waiting::grid::Outcome;
use crate::waiting::load::Load;
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, RangedU64ValueParser};
use contenders::{COARSE, Contender, PUNCTUAL};
use fastrand::Rng;
use pairs::Pairs;
use punctual_command::stop::Stop;
use serde::Serialize;
use std::time::Duration;

/// What is measured.
#[derive(Debug, clap::Args)]
pub struct Plan {
    /// How many threads wait; may be given several times.
    #[arg(
        long = "threads",
        value_name = "NUMBER",
        default_values_t = [1, 2, 10, 40, 200, 500],
        value_parser = RangedU64ValueParser::<u32>::new().range(1..=500)
    )]
    threads: Vec<u32>,

    /// When their deadlines are; may be given several times.
    #[arg(long = "beat", value_name = "BEAT", value_enum, default_values_t = Beat::value_variants().iter().copied())]
    beats: Vec<Beat>,

    /// The load on the machine; may be given several times.
    #[arg(long = "load", value_name = "LOAD", value_enum, default_values_t = [Load::Idle, Load::Busy])]
    loads: Vec<Load>,

    /// Who takes part; may be given several times [default: everyone].
    #[arg(long = "contender", value_name = "NAME", value_parser = PossibleValuesParser::new(contenders::NAMES))]
    contenders: Vec<String>,

    /// How many blocks of half a second each contender waits.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 20,
        value_parser = RangedU64ValueParser::<u32>::new().range(1..=1_000)
    )]
    rounds: u32,
}

/// When the deadlines of the threads are. Each has one every ten milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Beat {
    /// All at the same instants.
    InStep,
    /// Spread evenly over a period.
    Staggered,
    /// Each a random time after the thread has woken, of a period on average.
    AtRandom,
}

/// What the program of `Never worse` is about: a loop of 100 Hz, as games and control loops are.
const PERIOD: Duration = Duration::from_millis(10);

/// Half a second, and as much before it in which margins learn and nothing counts.
const PERIODS: u32 = 50;

/// Everything that was measured.
#[derive(Debug, Serialize)]
pub struct Report {
    pub machine: Machine,
    pub command: Invocation,
    pub interrupted: bool,
    pub rows: Vec<Row>,
    pub pairs: Vec<Pairs>,
}

/// A number of threads with a beat under a load.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Condition {
    pub threads: u32,
    pub beat: Beat,
    pub load: Load,
}

/// One contender under one condition.
#[derive(Debug, Serialize)]
pub struct Row {
    #[serde(flatten)]
    pub condition: Condition,
    pub contender: &'static str,
    #[serde(flatten)]
    pub figures: Figures,
}

/// The blocks of one contender, in the order of rounds.
struct Series {
    contender: Contender,
    blocks: Vec<Outcome>,
}

impl Plan {
    /// Measures everything, or what there is time for until Ctrl-C.
    pub fn run(&self, stop: &Stop) -> Result<Report, Failure> {
        let is_interrupted = || stop.is_asked_for();
        let conditions = self.conditions();
        let contenders = self.contenders().len() * conditions.len() * self.rounds as usize;
        let progress = Progress::new(2 * PERIOD * PERIODS * u32::try_from(contenders)?)?;
        let mut report = Report {
            machine: Machine::here(),
            command: Invocation::this(),
            interrupted: false,
            rows: Vec::new(),
            pairs: Vec::new(),
        };
        for condition in conditions {
            progress.announce(condition.to_string());
            let _load = condition.load.start()?;
            let mut all = self.contenders();
            for round in 0..self.rounds {
                Rng::with_seed(round.into()).shuffle(&mut all);
                for series in &mut all {
                    if is_interrupted() {
                        break;
                    }
                    let block = series.contender.wait(condition, round)?;
                    series.blocks.push(block);
                    progress.advance(2 * PERIOD * PERIODS);
                }
            }
            report.add(condition, all)?;
        }
        report.interrupted = is_interrupted();
        Ok(report)
    }

    fn conditions(&self) -> Vec<Condition> {
        let mut conditions = Vec::new();
        for load in without_repetitions(&self.loads) {
            for beat in without_repetitions(&self.beats) {
                for threads in without_repetitions(&self.threads) {
                    conditions.push(Condition {
                        threads,
                        beat,
                        load,
                    });
                }
            }
        }
        conditions
    }

    fn contenders(&self) -> Vec<Series> {
        let all = contenders::ALL.into_iter();
        all.filter(|contender| is_among(&self.contenders, contender.name))
            .map(|contender| Series {
                contender,
                blocks: Vec::new(),
            })
            .collect()
    }
}

impl Report {
    fn add(&mut self, condition: Condition, mut all: Vec<Series>) -> Result<(), Failure> {
        // After Ctrl-C, some may have had a block more.
        let rounds = all.iter().map(|series| series.blocks.len()).min();
        let rounds = rounds.unwrap_or(0);
        if rounds == 0 {
            return Ok(());
        }
        all.sort_by_key(|series| contenders::place(series.contender));
        for series in &all {
            self.rows.push(Row {
                condition,
                contender: series.contender.name,
                figures: Figures::of(&series.blocks[..rounds])?,
            });
        }
        let blocks_of = |name| {
            let found = all.iter().find(|series| series.contender.name == name);
            found.map(|series| &series.blocks[..rounds])
        };
        if let (Some(ours), Some(coarse)) = (blocks_of(PUNCTUAL), blocks_of(COARSE)) {
            self.pairs.push(Pairs::of(condition, ours, coarse)?);
        }
        Ok(())
    }
}
