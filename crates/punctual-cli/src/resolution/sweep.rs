//! `punctual resolution sweep`: finds the best request for a machine.

use super::flags::ResolutionSweepArgs;
use crate::failure::{Failure, INSTEAD};
use crate::interrupt::{self, Stop};
use crate::output;
use crate::progress;
#[cfg(not(feature = "sim"))]
use crate::unsimulated as simulated;
use punctual::Error;
use punctual::os::windows::{Win32Lab, WindowsOs};
use punctual_lab::Native;
use punctual_lab::resolution::recording::Swept;
use punctual_lab::resolution::sweep::{self, Plan, Row};
use punctual_lab::resolution::{self, OnWindows};
use punctual_lab::{Environment, Machine};
use std::ops::ControlFlow;
use std::process::ExitCode;

pub(super) fn sweep(args: &ResolutionSweepArgs) -> Result<ExitCode, Failure> {
    let question = args.question()?;
    let plan = question.plan();
    let asked = plan.intervals.len();
    let (environment, rows) = match &question.on {
        Some(simulated) => simulated::run((simulated, &question.with[..], plan))?,
        None => native(&plan)?,
    };
    let interrupted = rows.len() < asked;
    let swept = Swept {
        schema: Swept::SCHEMA.to_owned(),
        punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
        question,
        environment,
        interrupted,
        recommended_ns: sweep::recommended(&rows).map(|row| row.requested_ns),
        rows,
    };
    output::show(args.format, &swept)?;
    Ok(interrupt::status(interrupted))
}

#[cfg(feature = "sim")]
mod simulated {
    use super::super::simulated::run_on;
    use crate::failure::Failure;
    use crate::interrupt::Stop;
    use crate::progress::Progress;
    use punctual_lab::Environment;
    use punctual_lab::conditions::Companion;
    use punctual_lab::question::Simulated;
    use punctual_lab::resolution::sweep::{self, Plan, Row};
    use std::ops::ControlFlow;

    pub(super) fn run(
        (simulated, with, plan): (&Simulated, &[Companion], Plan),
    ) -> Result<(Environment, Vec<Row>), Failure> {
        let stop = Stop::or_exit_on_ctrl_c()?;
        let stops = stop.clone();
        let (environment, rows) = run_on(simulated, with, move |os| {
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
        stop.heed();
        Ok((environment, rows.map_err(Failure::run)?))
    }
}

fn native(plan: &Plan) -> Result<(Environment, Vec<Row>), Failure> {
    let machine = Native::detect().map_err(Failure::run)?;
    let swept = resolution::native(Sweep { plan });
    let rows = swept.map_err(|error| Failure::flag("--on", format!("{error}{INSTEAD}")))??;
    Ok((machine.environment(), rows))
}

struct Sweep<'a> {
    plan: &'a Plan,
}

impl OnWindows for Sweep<'_> {
    type Output = Result<Vec<Row>, Failure>;

    fn on<W: Win32Lab>(self, os: &WindowsOs<W>) -> Self::Output {
        let stop = Stop::on_ctrl_c()?;
        let bar = progress::bar("sweeping", self.plan.intervals.len() as u64);
        let rows: Result<_, Error> = sweep::run(os, self.plan, |_| {
            bar.inc(1);
            match stop.is_asked_for() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        bar.finish_and_clear();
        rows.map_err(Failure::run)
    }
}
