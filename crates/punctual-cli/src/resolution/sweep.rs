//! `punctual resolution sweep`: which request suits a machine best.

use super::origin;
use crate::args::ResolutionSweepArgs;
use crate::failure::Failure;
use crate::measure::check::INSTEAD;
use crate::output;
use crate::progress;
use crate::run::EXIT_INTERRUPTED;
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
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A range of this many takes five minutes, and is finer than anybody has found a difference.
const MOST_ROWS: u128 = 1_001;

/// From one request to the next, unless said.
const STEP: Duration = Duration::from_micros(2);

/// As few as show the curve: ten seconds for the usual range.
const QUICK_STEP: Duration = Duration::from_micros(10);

pub(super) fn sweep(args: &ResolutionSweepArgs) -> Result<ExitCode, Failure> {
    let plan = plan(args)?;
    let sleeps = plan.sleeps;
    let asked = plan.intervals.len();
    let (environment, rows) = match &args.machine.on {
        Some(machine) => simulated::run(args, machine)?,
        None => native(&plan)?,
    };
    let interrupted = rows.len() < asked;
    let swept = Swept {
        schema: Swept::SCHEMA.to_owned(),
        origin: origin(&args.machine),
        environment,
        sleeps,
        interrupted,
        recommended_ns: sweep::recommended(&rows).map(|row| row.requested_ns),
        rows,
    };
    output::show(args.format, &swept)?;
    Ok(match interrupted {
        true => ExitCode::from(EXIT_INTERRUPTED),
        false => ExitCode::SUCCESS,
    })
}

fn plan(args: &ResolutionSweepArgs) -> Result<Plan, Failure> {
    let step = match args.quick {
        true => QUICK_STEP,
        false => args.step.unwrap_or(STEP),
    };
    let rows = args.range.steps(step);
    if rows > MOST_ROWS {
        let problem =
            format!("that is {rows} requests; write a longer step, for at most {MOST_ROWS}");
        let flag = if args.quick { "--quick" } else { "--step" };
        return Err(Failure::flag(flag, problem));
    }
    let sleeps = u32::try_from(args.count)
        .map_err(|_| Failure::flag("--count", "write at most 4294967295"))?;
    Ok(Plan {
        intervals: args.range.in_steps_of(step),
        sleeps,
    })
}

#[cfg(feature = "sim")]
mod simulated {
    use super::super::simulated::run_on;
    use crate::args::ResolutionSweepArgs;
    use crate::failure::Failure;
    use crate::progress::Progress;
    use crate::run::simulated::stop_on_ctrl_c;
    use punctual_lab::Environment;
    use punctual_lab::resolution::sweep::{self, Row};
    use punctual_lab::simulated::SimulatedMachine;
    use std::ops::ControlFlow;

    pub(super) fn run(
        args: &ResolutionSweepArgs,
        machine: &SimulatedMachine,
    ) -> Result<(Environment, Vec<Row>), Failure> {
        let plan = super::plan(args)?;
        let stop = stop_on_ctrl_c()?;
        let stops = stop.clone();
        let (environment, rows) = run_on(machine, &args.machine, move |os| {
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
        let stop = Arc::new(AtomicBool::new(false));
        let stops = Arc::clone(&stop);
        ctrlc::set_handler(move || stops.store(true, Ordering::Relaxed))
            .map_err(|error| Failure::run(format!("cannot listen for Ctrl-C: {error}")))?;
        let bar = progress::bar("sweeping", self.plan.intervals.len() as u64);
        let rows: Result<_, Error> = sweep::run(os, self.plan, |_| {
            bar.inc(1);
            match stop.load(Ordering::Relaxed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        bar.finish_and_clear();
        rows.map_err(Failure::run)
    }
}
