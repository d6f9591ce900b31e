//! `punctual sweep`: how a request, or timer slack, affects the sleeps of a process.

mod flags;
mod show;
#[cfg(feature = "sim")]
pub mod simulated;
mod slacks;

pub use flags::{SweepArgs, words, words_about_slack};

#[cfg(not(feature = "sim"))]
use crate::unsimulated as simulated;
use punctual::os::windows::WindowsOs;
use punctual_command::failure::Failure;
use punctual_command::progress;
use punctual_command::stop::Stop;
use punctual_lab::resolution::{self, OnWindows};
use punctual_lab::slack::{self, Question, SLEEP, SlackSweep};
use punctual_lab::sweep::{
    By, MachineSweep, Machines, NATIVE, Row, SCHEMA, SweepRecording, native_row,
};
use punctual_lab::{Machine, Native};
use punctual_windows::os::windows::Win32Lab;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Runs the command.
pub fn sweep(args: &SweepArgs, stop: &Stop) -> Result<ExitCode, Failure> {
    match (args.native, Native::HAS_INTERVAL) {
        (false, _) => simulated::sweep(args),
        (true, true) => vary_request(args, stop),
        (true, false) => vary_slack(args, stop),
    }
}

// `punctual sweep --native` on a system without a timer interval: timer slack.

fn vary_slack(args: &SweepArgs, stop: &Stop) -> Result<ExitCode, Failure> {
    let question = args.about_slack()?;
    let machine = Native::detect().map_err(Failure::run)?;
    refuse_without_slack(&machine, &question)?;
    let environment = machine.environment();
    let heeding = stop.heed();
    let bar = progress::bar("sweeping", question.turns());
    let rows = slack::run(&machine, &question, || {
        bar.inc(1);
        match stop.is_asked_for() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    bar.finish_and_clear();
    let swept = SlackSweep {
        schema: slack::SCHEMA.to_owned(),
        punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
        environment,
        sleep_ns: u64::try_from(SLEEP.as_nanos()).unwrap_or(u64::MAX),
        sleeps: question.sleeps(),
        question,
        interrupted: heeding.end(),
        rows: rows.map_err(Failure::run)?,
    };
    crate::show::in_format(args.format, &swept)?;
    Ok(stop.status())
}

/// Tries it and undoes it, before anything runs.
fn refuse_without_slack(machine: &Native, question: &Question) -> Result<(), Failure> {
    for &slack in &question.slacks {
        drop(machine.slacken(slack).map_err(|error| {
            let problem = format!("{error} and no timer interval to sweep");
            Failure::flag("--native", problem)
        })?);
    }
    Ok(())
}

// `punctual sweep --native` on Windows: the experiment on this machine.

/// Seconds for each request. Fifteen requests take half a minute, with the time for them to take
/// effect.
const SAMPLES: u32 = 1;

fn vary_request(args: &SweepArgs, stop: &Stop) -> Result<ExitCode, Failure> {
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
