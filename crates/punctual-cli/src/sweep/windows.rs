//! `punctual sweep --native` on Windows: the experiment on the machine itself.

use crate::args::{ByArg, SweepArgs};
use crate::failure::Failure;
use crate::output;
use crate::show;
use indicatif::{ProgressBar, ProgressStyle};
use punctual::os::windows::{Win32Lab, WindowsOs};
use punctual_lab::Companion;
use punctual_lab::resolution::{self, OnWindows};
use punctual_lab::simulated::sweep::{self, By, MachineSweep, Row, SCHEMA, SweepRecording};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Seconds for each request: with those that settling takes, half a minute for fifteen.
const SAMPLES: u32 = 1;

pub(super) fn sweep(args: &SweepArgs) -> Result<ExitCode, Failure> {
    if !args.slack.is_empty() {
        let problem = "threads of this system have no timer slack; --interval varies what it has";
        return Err(Failure::flag("--slack", problem));
    }
    if args.by == ByArg::Parent {
        let problem = "only simulated machines have a parent that asks, so far; 'other' is another \
                       process, which this one starts";
        return Err(Failure::flag("--by", problem));
    }
    let program = std::env::current_exe().map_err(Failure::run)?;
    let experiment = Experiment {
        by: args.by.into(),
        intervals: super::intervals(args)?,
        program,
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
        machines: vec![MachineSweep {
            machine: "this machine".to_owned(),
            version: "native".to_owned(),
            rows,
        }],
    };
    output::print(|out| {
        if args.json {
            serde_json::to_writer_pretty(&mut *out, &recording)?;
            return writeln!(out);
        }
        show::sweep(out, &recording)
    })?;
    Ok(ExitCode::SUCCESS)
}

struct Experiment {
    by: By,
    intervals: Vec<Duration>,
    program: PathBuf,
}

impl OnWindows for Experiment {
    type Output = Result<Vec<Row>, Failure>;

    fn on<W: Win32Lab>(self, os: &WindowsOs<W>) -> Self::Output {
        let bar = ProgressBar::new(self.intervals.len() as u64);
        let style = ProgressStyle::with_template("sweeping {bar:40} {percent:>3} %, {eta} left")
            .expect("the template is a constant");
        bar.set_style(style);
        let rows = self.intervals.iter().map(|&interval| {
            let row = self.row(os, interval);
            bar.inc(1);
            row
        });
        let rows = rows.collect();
        bar.finish_and_clear();
        rows
    }
}

impl Experiment {
    fn row<W: Win32Lab>(&self, os: &WindowsOs<W>, interval: Duration) -> Result<Row, Failure> {
        let other = match self.by {
            By::Other => {
                let other = Companion::Requester { interval };
                Some(other.start(&self.program, 0).map_err(Failure::run)?)
            }
            By::Own | By::Parent => None,
        };
        let row = sweep::native_row(os.win32(), self.by, interval, SAMPLES);
        if let Some(other) = other {
            // Who ended early did not ask all the time.
            other.check().map_err(Failure::run)?;
        }
        row.map_err(Failure::run)
    }
}
