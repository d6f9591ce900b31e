//! A loop on a busy machine, with a short slice and with its thread's own, under one condition after
//! the other.

mod autogroup;
mod condition;
mod loops;
pub mod neighbour;
mod report;
mod siblings;
mod stage;
pub mod subject;

use crate::failure::{Failure, interrupts};
use crate::given::is_among;
use crate::machine::{Invocation, Machine};
use crate::progress::Progress;
use crate::statistics::Figures;
use crate::waiting::grid::Outcome;
use clap::builder::{PossibleValuesParser, RangedU64ValueParser};
use condition::Condition;
use fastrand::Rng;
use loops::{Answer, SliceOf};
use serde::Serialize;
use stage::Stage;
use std::sync::atomic::Ordering;
use subject::PERIOD;

/// What is measured.
#[derive(Debug, clap::Args)]
pub struct Plan {
    /// Prints one JSON object instead of a table.
    #[arg(long)]
    pub json: bool,

    /// A condition; may be given several times [default: all].
    #[arg(
        long = "condition",
        value_name = "NAME",
        value_parser = PossibleValuesParser::new(condition::names())
    )]
    conditions: Vec<String>,

    /// How many turns each condition has. In each, a loop waits 500 times with each slice.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 20,
        value_parser = RangedU64ValueParser::<u32>::new().range(1..=1_000)
    )]
    rounds: u32,
}

/// Everything that was measured.
#[derive(Debug, Serialize)]
pub struct Report {
    pub machine: Machine,
    pub command: Invocation,
    pub interrupted: bool,
    pub rows: Vec<Row>,
    pub skipped: Vec<Skipped>,
}

/// One loop, or driver, with one slice under one condition.
#[derive(Debug, Serialize)]
pub struct Row {
    pub condition: &'static str,
    pub summary: &'static str,
    pub who: String,
    pub slice: SliceOf,
    #[serde(flatten)]
    pub figures: Figures,
}

/// A condition that can't be made here.
#[derive(Debug, Serialize)]
pub struct Skipped {
    pub condition: &'static str,
    pub reason: String,
}

/// Half a second with each slice. A turn begins a tenth of a second after its neighbours.
const PERIODS: u32 = 500;

/// Rounds before any counts: who learns has begun to.
const WARM_UP: u32 = 1;

/// A condition that stands, and what became of its waits.
struct Series {
    condition: Condition,
    stage: Stage,
    blocks: Vec<(SliceOf, Answer)>,
}

impl Plan {
    /// Measures everything, or what there is time for until Ctrl-C. Nothing is left behind.
    pub fn run(&self) -> Result<Report, Failure> {
        let interrupted = interrupts()?;
        let is_interrupted = || interrupted.load(Ordering::Relaxed);
        let (mut all, skipped) = self.set();
        let rounds = WARM_UP + self.rounds;
        let turn = stage::SETTLE + 2 * PERIODS * PERIOD;
        let progress = Progress::new(turn * rounds * u32::try_from(all.len())?)?;
        for round in 0..rounds {
            let mut random = Rng::with_seed(round.into());
            random.shuffle(&mut all);
            for series in &mut all {
                if is_interrupted() {
                    break;
                }
                progress.announce(series.condition.name.to_owned());
                series.turn(round)?;
                progress.advance(turn);
            }
        }
        progress.end();
        Ok(Report {
            machine: Machine::here(),
            command: Invocation::this(),
            interrupted: is_interrupted(),
            rows: self.rows(&all)?,
            skipped,
        })
    }

    fn conditions(&self) -> impl Iterator<Item = Condition> {
        let is_chosen = |condition: &Condition| is_among(&self.conditions, condition.name);
        condition::ALL.into_iter().filter(is_chosen)
    }

    /// All conditions that can be made here, and why the others can't.
    fn set(&self) -> (Vec<Series>, Vec<Skipped>) {
        let (mut all, mut skipped) = (Vec::new(), Vec::new());
        for condition in self.conditions() {
            match Stage::set(&condition) {
                Ok(stage) => all.push(Series {
                    condition,
                    stage,
                    blocks: Vec::new(),
                }),
                Err(reason) => skipped.push(Skipped {
                    condition: condition.name,
                    reason: reason.to_string(),
                }),
            }
        }
        (all, skipped)
    }

    /// In the order in which they are listed.
    fn rows(&self, all: &[Series]) -> Result<Vec<Row>, Failure> {
        let mut rows = Vec::new();
        for condition in self.conditions() {
            for series in all.iter().filter(|series| series.condition == condition) {
                for who in ["loop", "driver"] {
                    for slice in SliceOf::ALL {
                        rows.extend(series.row(who, slice)?);
                    }
                }
            }
        }
        Ok(rows)
    }
}

impl Series {
    fn turn(&mut self, round: u32) -> Result<(), Failure> {
        let mut slices = SliceOf::ALL;
        if round % 2 == 1 {
            slices.reverse();
        }
        for (slice, answers) in self.stage.turn(slices, PERIODS)? {
            if round >= WARM_UP {
                let answers = answers.into_iter().map(|answer| (slice, answer));
                self.blocks.extend(answers);
            }
        }
        Ok(())
    }

    /// None: nobody of this kind waits under this condition, or none has yet.
    fn row(&self, who: &str, slice: SliceOf) -> Result<Option<Row>, Failure> {
        let is_asked = |(of, answer): &&(SliceOf, Answer)| *of == slice && answer.who == who;
        let blocks = self.blocks.iter().filter(is_asked);
        let blocks: Vec<Outcome> = blocks.map(|(_, answer)| answer.outcome.clone()).collect();
        if blocks.is_empty() {
            return Ok(None);
        }
        Ok(Some(Row {
            condition: self.condition.name,
            summary: self.condition.summary,
            who: who.to_owned(),
            slice,
            figures: Figures::of(&blocks)?,
        }))
    }
}
