//! `punctual sweep --native` on Windows: the experiment on this machine.

use super::SweepArgs;
use punctual::os::windows::WindowsOs;
use punctual_command::failure::Failure;
use punctual_command::progress;
use punctual_command::stop::Stop;
use punctual_lab::resolution::{self, OnWindows};
use punctual_lab::sweep::{
    By, MachineSweep, Machines, NATIVE, Row, SCHEMA, SweepRecording, native_row,
};
use punctual_windows::os::windows::Win32Lab;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Seconds for each request. Fifteen requests take half a minute, with the time for them to take
/// effect.
const SAMPLES: u32 = 1;

pub(super) fn sweep(args: &SweepArgs, stop: &Stop) -> Result<ExitCode, Failure> {
    if !args.slack.is_empty() {
        let problem = "threads of this system have no timer slack; --interval varies its interval";
        return Err(Failure::flag("--slack", problem));
    }
    let program = std::env::current_exe().map_err(Failure::run)?;
    let question = args.question(Machines::Native)?;
    let heeding = stop.heed();
    let experiment = Experiment {
        by: question.by,
        intervals: question.intervals.clone(),
        program,
        stop: stop.clone(),
    };
    let rows = resolution::native(experiment).map_err(Failure::run)??;
    let recording = SweepRecording {
        schema: SCHEMA.to_owned(),
        punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
        samples: SAMPLES,
        question,
        interrupted: heeding.end(),
        machines: vec![MachineSweep {
            machine: "this machine".to_owned(),
            version: NATIVE.to_owned(),
            rows,
        }],
    };
    crate::show::in_format(args.format, &recording)?;
    Ok(stop.status())
}

struct Experiment {
    by: By,
    intervals: Vec<Duration>,
    program: PathBuf,
    stop: Stop,
}

impl OnWindows for Experiment {
    type Output = Result<Vec<Row>, Failure>;

    /// The request that is under way when a signal comes still gets its row.
    fn on<W: Win32Lab>(self, os: &WindowsOs<W>) -> Self::Output {
        let bar = progress::bar("sweeping", self.intervals.len() as u64);
        let goes_on = |_: &&Duration| !self.stop.is_asked_for();
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
