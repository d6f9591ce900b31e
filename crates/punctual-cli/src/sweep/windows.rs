//! `punctual sweep --native` on Windows: the experiment on the machine itself.

use super::native::{status, stop_on_ctrl_c};
use crate::args::SweepArgs;
use crate::failure::Failure;
use crate::output;
use crate::progress;
use punctual::os::windows::{Win32Lab, WindowsOs};
use punctual_lab::resolution::{self, OnWindows};
use punctual_lab::sweep::{By, MachineSweep, NATIVE, Row, SCHEMA, SweepRecording, native_row};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Seconds for each request: with those that settling takes, half a minute for fifteen.
const SAMPLES: u32 = 1;

pub(super) fn sweep(args: &SweepArgs) -> Result<ExitCode, Failure> {
    if !args.slack.is_empty() {
        let problem = "threads of this system have no timer slack; --interval varies what it has";
        return Err(Failure::flag("--slack", problem));
    }
    let program = std::env::current_exe().map_err(Failure::run)?;
    let stop = stop_on_ctrl_c()?;
    let experiment = Experiment {
        by: args.by.into(),
        intervals: super::intervals(args)?,
        program,
        stop: Arc::clone(&stop),
    };
    let by = experiment.by;
    let rows = resolution::native(experiment).map_err(Failure::run)??;
    let recording = SweepRecording {
        schema: SCHEMA.to_owned(),
        punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
        seed: args.seed,
        samples: SAMPLES,
        by,
        with: Vec::new(),
        interrupted: stop.load(Ordering::Relaxed),
        machines: vec![MachineSweep {
            machine: "this machine".to_owned(),
            version: NATIVE.to_owned(),
            rows,
        }],
    };
    output::show(args.format, &recording)?;
    Ok(status(recording.interrupted))
}

struct Experiment {
    by: By,
    intervals: Vec<Duration>,
    program: PathBuf,
    stop: Arc<AtomicBool>,
}

impl OnWindows for Experiment {
    type Output = Result<Vec<Row>, Failure>;

    /// A request that is under way when Ctrl-C comes has its row.
    fn on<W: Win32Lab>(self, os: &WindowsOs<W>) -> Self::Output {
        let bar = progress::bar("sweeping", self.intervals.len() as u64);
        let goes_on = |_: &&Duration| !self.stop.load(Ordering::Relaxed);
        let rows = self.intervals.iter().take_while(goes_on).map(|&interval| {
            let row = native_row(os, self.by, interval, SAMPLES, &self.program);
            bar.inc(1);
            row.map_err(Failure::run)
        });
        let rows = rows.collect();
        bar.finish_and_clear();
        rows
    }
}
