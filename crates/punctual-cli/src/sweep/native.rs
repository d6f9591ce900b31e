//! `punctual sweep --native`: what this system has that can be varied. On Linux that is timer slack,
//! on Windows the interval.

use super::windows;
use crate::args::{ByArg, SweepArgs};
use crate::failure::Failure;
use crate::output;
use crate::progress;
use crate::run::EXIT_INTERRUPTED;
use crate::slacks::{self, Slacks};
use punctual_lab::Machine;
use punctual_lab::Native;
use punctual_lab::slack::{self, Plan, SCHEMA, SLEEP, SlackSweep};
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Two calls, eight slacks: five seconds.
const SLEEPS: u32 = 200;

/// Two seconds.
const FEW_SLEEPS: u32 = 80;

pub(super) fn sweep(args: &SweepArgs) -> Result<ExitCode, Failure> {
    if Native::HAS_INTERVAL {
        return windows::sweep(args);
    }
    for (flag, given) in [
        ("--interval", !args.interval.is_empty()),
        ("--by", args.by != ByArg::Other),
    ] {
        if given {
            let problem = "nobody can ask this system for a timer interval; --slack varies what \
                           it has";
            return Err(Failure::flag(flag, problem));
        }
    }
    let machine = Native::detect().map_err(Failure::run)?;
    let plan = Plan {
        slacks: slacks(args)?,
        sleeps: if args.quick { FEW_SLEEPS } else { SLEEPS },
    };
    refuse_without_slack(&machine, &plan)?;
    let environment = machine.environment();
    let stop = stop_on_ctrl_c()?;
    let bar = progress::bar("sweeping", plan.turns());
    let rows = slack::run(&machine, &plan, || {
        bar.inc(1);
        match stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    bar.finish_and_clear();
    let swept = SlackSweep {
        schema: SCHEMA.to_owned(),
        punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
        environment,
        sleep_ns: u64::try_from(SLEEP.as_nanos()).unwrap_or(u64::MAX),
        sleeps: plan.sleeps,
        interrupted: stop.load(Ordering::Relaxed),
        rows: rows.map_err(Failure::run)?,
    };
    output::show(args.format, &swept)?;
    Ok(status(swept.interrupted))
}

/// Of what was stopped, or was not.
pub(super) fn status(interrupted: bool) -> ExitCode {
    match interrupted {
        true => ExitCode::from(EXIT_INTERRUPTED),
        false => ExitCode::SUCCESS,
    }
}

/// Ascending, each once.
fn slacks(args: &SweepArgs) -> Result<Vec<Duration>, Failure> {
    let given = args.slack.iter().flat_map(|given| given.0.clone());
    let mut slacks: Vec<_> = given.collect();
    if slacks.is_empty() {
        slacks = Slacks::usual().0;
    }
    slacks.sort_unstable();
    slacks.dedup();
    if slacks.len() > slacks::MOST {
        let problem = format!("at most {} slacks in one picture", slacks::MOST);
        return Err(Failure::flag("--slack", problem));
    }
    Ok(slacks)
}

/// Tried and undone, before anything runs.
fn refuse_without_slack(machine: &Native, plan: &Plan) -> Result<(), Failure> {
    for &slack in &plan.slacks {
        drop(machine.slacken(slack).map_err(|error| {
            let problem = format!("{error} and no timer interval to sweep");
            Failure::flag("--native", problem)
        })?);
    }
    Ok(())
}

pub(super) fn stop_on_ctrl_c() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let stops = Arc::clone(&stop);
    ctrlc::set_handler(move || stops.store(true, Ordering::Relaxed))
        .map_err(|error| Failure::run(format!("cannot listen for Ctrl-C: {error}")))?;
    Ok(stop)
}
