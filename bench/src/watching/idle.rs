//! An idle machine: a program's waits with and without a watch, in turns, and what the watch uses.

use super::stage::Stage;
use crate::failure::Failure;
use crate::machine::processors;
use crate::os::Meter;
use crate::progress::Progress;
use crate::statistics::Spread;
use crate::waiting::beside::{BLOCK, SLACKS, WAYS, median, waits};
use serde::Serialize;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// How long a watch runs to find out what it uses.
const USING: Duration = Duration::from_secs(10);

/// Median lateness beside a watch.
#[derive(Debug, Serialize)]
pub struct Row {
    pub way: &'static str,
    pub stage: Stage,
    pub waits: u64,
    pub p50_ns: Spread,
    /// Over nothing, turn by turn.
    pub ratio: Spread,
}

/// What a watch uses.
#[derive(Debug, Serialize)]
pub struct Share {
    pub stage: Stage,
    /// Processor time of all its threads over elapsed time.
    pub of_one_processor: f64,
    /// The same over the number of processors, all of which it watches.
    pub of_each_processor: f64,
}

/// How long it takes.
pub fn duration(stages: &[Stage], rounds: u32) -> Duration {
    let stages = u32::try_from(stages.len()).unwrap_or(u32::MAX);
    BLOCK * 2 * stages * rounds + USING * (stages - 1)
}

/// Measures on this thread. Each stage has its turn in each round, in an order that changes.
pub fn lateness(
    stages: &[Stage],
    folder: &Path,
    rounds: u32,
    progress: &Progress,
) -> Result<Vec<Row>, Failure> {
    progress.announce("lateness beside a watch".to_owned());
    // By stage and way.
    let mut medians = vec![[Vec::new(), Vec::new()]; stages.len()];
    for round in 0..rounds as usize {
        for turn in 0..stages.len() {
            let place = (round + turn) % stages.len();
            let running = stages[place].start(folder)?;
            for (slack, medians) in SLACKS.into_iter().zip(&mut medians[place]) {
                medians.push(median(slack));
                progress.advance(BLOCK);
            }
            running.stop();
        }
    }
    let waits = waits(rounds);
    let none = || Failure::from("nothing was measured");
    let mut rows = Vec::new();
    for (index, way) in WAYS.into_iter().enumerate() {
        for (stage, measured) in stages.iter().zip(&medians) {
            let (ours, without) = (&measured[index], &medians[0][index]);
            rows.push(Row {
                way,
                stage: *stage,
                waits,
                ratio: Spread::of_ratios(ours, without).ok_or_else(none)?,
                p50_ns: Spread::of(ours.clone()).ok_or_else(none)?,
            });
        }
    }
    Ok(rows)
}

/// What each watch uses while nothing else runs.
pub fn shares(stages: &[Stage], folder: &Path, progress: &Progress) -> Result<Vec<Share>, Failure> {
    let mut shares = Vec::new();
    for stage in stages.iter().filter(|stage| **stage != Stage::Nothing) {
        progress.announce(format!("what a {} uses", stage.name()));
        let running = stage.start(folder)?;
        let before = Meter::Process.read();
        thread::sleep(USING);
        let used = Meter::Process.read().saturating_sub(before);
        running.stop();
        let share = used.as_secs_f64() / USING.as_secs_f64();
        shares.push(Share {
            stage: *stage,
            of_one_processor: share,
            of_each_processor: share / processors() as f64,
        });
        progress.advance(USING);
    }
    Ok(shares)
}
