//! Explaining: how fast traces are read, and what it costs a loop to be traced.

mod cost;
mod reading;
mod report;

use crate::aim::{Aim, Bound};
use crate::failure::Failure;
use crate::machine::{Invocation, Machine};
use crate::progress::Progress;
use crate::waiting::beside::WAYS;
use cost::Cost;
use reading::Reading;
use serde::Serialize;

/// What is measured.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub struct Plan {
    /// Takes six seconds. The figures are too rough to publish.
    #[arg(long)]
    pub quick: bool,
}

/// Everything that was measured.
#[derive(Debug, Serialize)]
pub struct Report {
    pub machine: Machine,
    pub command: Invocation,
    pub reading: Reading,
    /// One for each way of waiting; none where the kernel's trace may not be read.
    pub cost: Vec<Cost>,
    /// Why there are none.
    pub cost_unknown: Option<String>,
    pub aims: Vec<Aim>,
}

/// Events per second, in millions.
const LEAST_MILLIONS: f64 = 3.0;

/// By how much a trace may move the median lateness, as a share of it.
const MOST_MOVED: f64 = 0.05;

/// How often reading is measured, and how often each way of waiting gets its turn with and without.
const REPETITIONS: u32 = 7;
const ROUNDS: u32 = 20;
const QUICK_ROUNDS: u32 = 5;

impl Plan {
    /// Measures everything; a quarter of a minute.
    pub fn run(&self) -> Result<Report, Failure> {
        let rounds = if self.quick { QUICK_ROUNDS } else { ROUNDS };
        let progress = Progress::new(cost::duration(rounds) + reading::ABOUT * REPETITIONS)?;
        let reading = Reading::measure(REPETITIONS, &progress)?;
        let (cost, cost_unknown) = match cost::measure(rounds, &progress) {
            Ok(cost) => (cost, None),
            Err(error) => (Vec::new(), Some(error.to_string())),
        };
        let aims = aims(&reading, &cost);
        Ok(Report {
            machine: Machine::here(),
            command: Invocation::this(),
            reading,
            cost,
            cost_unknown,
            aims,
        })
    }
}

fn aims(reading: &Reading, cost: &[Cost]) -> Vec<Aim> {
    let millions = reading.events_per_second.median / 1e6;
    let read = "million events read a second";
    let mut aims = vec![Aim::new(
        read,
        Bound::AtLeast(LEAST_MILLIONS),
        Some(millions),
    )];
    for name in WAYS {
        let row = cost.iter().find(|row| row.name == name);
        let moved = row.map(|row| (row.ratio.median - 1.0).abs());
        let what = format!("{name}: the median moves, as a share of it");
        aims.push(Aim::new(&what, Bound::Below(MOST_MOVED), moved));
    }
    aims
}
