//! Watching: how much later a program wakes while a watch runs, what the watch uses of the processors, and what
//! its flight recorder costs a busy machine.

mod busy;
mod idle;
mod report;
mod stage;

use crate::aim::{Aim, Bound};
use crate::failure::Failure;
use crate::machine::{Invocation, Machine};
use crate::progress::Progress;
use crate::waiting::beside::WAYS;
use busy::Busy;
use idle::{Row, Share};
use serde::Serialize;
use stage::Stage;
use std::path::Path;

/// What is measured.
#[derive(Debug, clap::Args)]
pub struct Plan {
    /// Takes half a minute. The figures are too rough to publish.
    #[arg(long)]
    pub quick: bool,
}

/// Everything that was measured.
#[derive(Debug, Serialize)]
pub struct Report {
    pub machine: Machine,
    pub command: Invocation,
    /// One for each way of waiting and each watch beside it.
    pub lateness: Vec<Row>,
    pub shares: Vec<Share>,
    /// None where the kernel's trace may not be read.
    pub busy: Option<Busy>,
    /// Why there is no figure of the flight recorder.
    pub recorder_unknown: Option<String>,
    pub aims: Vec<Aim>,
}

/// By how much a watch may move the median lateness of others, as a share of it.
const MOST_MOVED: f64 = 0.05;

/// What it may use of each processor that it watches.
const MOST_USED: f64 = 0.01;

const ROUNDS: u32 = 20;
const QUICK_ROUNDS: u32 = 4;

impl Plan {
    /// Measures everything; a minute and a half.
    pub fn run(&self) -> Result<Report, Failure> {
        let rounds = if self.quick { QUICK_ROUNDS } else { ROUNDS };
        let folder = std::env::temp_dir().join(format!("punctual-bench-{}", std::process::id()));
        let outcome = self.run_in(&folder, rounds);
        // It may not have been made.
        let _ = std::fs::remove_dir_all(&folder);
        outcome
    }

    fn run_in(&self, folder: &Path, rounds: u32) -> Result<Report, Failure> {
        let recorder_unknown = stage::recorder_refused(folder)?;
        let stages: &[Stage] = match recorder_unknown {
            None => &Stage::ALL,
            Some(_) => &[Stage::Nothing, Stage::Watch],
        };
        let progress = Progress::new(idle::duration(stages, rounds))?;
        let lateness = idle::lateness(stages, folder, rounds, &progress)?;
        let shares = idle::shares(stages, folder, &progress)?;
        let busy = match recorder_unknown {
            None => Some(busy::measure(folder, rounds / 2, &progress)?),
            Some(_) => None,
        };
        progress.end();
        let aims = aims(&lateness, &shares);
        Ok(Report {
            machine: Machine::here(),
            command: Invocation::this(),
            lateness,
            shares,
            busy,
            recorder_unknown,
            aims,
        })
    }
}

fn aims(lateness: &[Row], shares: &[Share]) -> Vec<Aim> {
    let mut aims = Vec::new();
    for stage in [Stage::Watch, Stage::WatchAndRecorder] {
        for way in WAYS {
            let row = lateness
                .iter()
                .find(|row| row.stage == stage && row.way == way);
            let moved = row.map(|row| (row.ratio.median - 1.0).abs());
            let what = format!("{way}, {}: median moves", stage.name());
            aims.push(Aim::new(&what, Bound::Below(MOST_MOVED), moved));
        }
        let share = shares.iter().find(|share| share.stage == stage);
        let what = format!("{}: percent of each processor", stage.name());
        let used = share.map(|share| share.of_each_processor * 100.0);
        aims.push(Aim::new(&what, Bound::Below(MOST_USED * 100.0), used));
    }
    aims
}
