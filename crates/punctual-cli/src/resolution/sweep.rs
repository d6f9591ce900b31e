//! `punctual resolution sweep`: finds the best request for a machine.

use super::flags::ResolutionSweepArgs;
use crate::refusal::INSTEAD;
#[cfg(not(feature = "sim"))]
use crate::unsimulated as simulated;
use punctual::Error;
use punctual::os::windows::WindowsOs;
use punctual_command::failure::Failure;
use punctual_command::progress;
use punctual_command::stop::Stop;
use punctual_lab::confidence::Confidence;
use punctual_lab::resolution::recording::Swept;
use punctual_lab::resolution::sweep::{self, Plan, Row};
use punctual_lab::resolution::{self, OnWindows};
use punctual_lab::{Environment, Machine, Native};
use punctual_windows::os::windows::Win32Lab;
use std::ops::ControlFlow;
use std::process::ExitCode;

pub(super) fn sweep(args: &ResolutionSweepArgs, stop: &Stop) -> Result<ExitCode, Failure> {
    let question = args.question()?;
    let plan = question.plan();
    let (environment, rows, interrupted, confidence) = match &question.on {
        Some(simulated) => simulated::run((simulated, &question.with[..], plan, stop))?,
        None => native(&plan, stop)?,
    };
    let swept = Swept {
        schema: Swept::SCHEMA.to_owned(),
        punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
        question,
        environment,
        interrupted,
        recommended_ns: sweep::recommended(&rows).map(|row| row.requested_ns),
        rows,
        confidence,
    };
    crate::show::in_format(args.format, &swept)?;
    Ok(stop.status())
}

/// The rows, whether a signal ended the sweep, and how far the rows can be trusted.
type Found = (Environment, Vec<Row>, bool, Option<Confidence>);

#[cfg(feature = "sim")]
mod simulated {
    use super::super::simulated::run_on;
    use super::Found;
    use punctual_command::failure::Failure;
    use punctual_command::progress::Progress;
    use punctual_command::stop::Stop;
    use punctual_lab::conditions::Companion;
    use punctual_lab::confidence::of_own_requests;
    use punctual_lab::question::Simulated;
    use punctual_lab::resolution::sweep::{self, Plan};
    use std::ops::ControlFlow;

    pub(super) fn run(
        (simulated, with, plan, stop): (&Simulated, &[Companion], Plan, &Stop),
    ) -> Result<Found, Failure> {
        let heeding = stop.heed_while_computing();
        let stops = stop.clone();
        let shortest = plan.intervals.iter().min().copied();
        let (machine, environment, rows) = run_on(simulated, with, move |os| {
            let progress = Progress::of("simulating", plan.intervals.len() as u64);
            let mut done = 0;
            sweep::run(os, &plan, |_| {
                done += 1;
                progress.reach(done);
                match stops.is_asked_for() {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            })
        })?;
        let confidence = shortest.map(|request| of_own_requests(&machine, request));
        let rows = rows.map_err(Failure::run)?;
        Ok((environment, rows, heeding.end(), confidence))
    }
}

fn native(plan: &Plan, stop: &Stop) -> Result<Found, Failure> {
    let machine = Native::detect().map_err(Failure::run)?;
    let heeding = stop.heed();
    let swept = resolution::native(Sweep { plan, stop });
    let rows = swept.map_err(|error| Failure::flag("--on", format!("{error}{INSTEAD}")))??;
    Ok((machine.environment(), rows, heeding.end(), None))
}

struct Sweep<'a> {
    plan: &'a Plan,
    stop: &'a Stop,
}

impl OnWindows for Sweep<'_> {
    type Output = Result<Vec<Row>, Failure>;

    fn on<W: Win32Lab>(self, os: &WindowsOs<W>) -> Self::Output {
        let bar = progress::bar("sweeping", self.plan.intervals.len() as u64);
        let rows: Result<_, Error> = sweep::run(os, self.plan, |_| {
            bar.inc(1);
            match self.stop.is_asked_for() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        bar.finish_and_clear();
        rows.map_err(Failure::run)
    }
}
