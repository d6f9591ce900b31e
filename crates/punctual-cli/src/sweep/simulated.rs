//! `punctual sweep` on simulated machines.

use super::SweepArgs;
use crate::flags::MachineName;
use punctual_command::failure::Failure;
use punctual_lab::simulated::SimulatedMachine;
use punctual_lab::sweep::simulated::{Plan, run, usual_machines};
use punctual_lab::sweep::{Machines, SCHEMA, SweepRecording};
use std::process::ExitCode;

/// Seconds of virtual time per request. If sleeps differ, the mean still repeats to a tenth of a
/// millisecond. Six versions take less than a second.
const SAMPLES: u32 = 10;

/// The number of machines that fit side by side in 80 columns.
const MOST_MACHINES: usize = 7;

pub(super) fn sweep(args: &SweepArgs) -> Result<ExitCode, Failure> {
    crate::show::in_format(args.format, &swept(args)?)?;
    Ok(ExitCode::SUCCESS)
}

/// The answer as it is kept.
pub fn swept(args: &SweepArgs) -> Result<SweepRecording, Failure> {
    let names = names(&args.on)?;
    let question = args.question(Machines::Simulated {
        machines: names.clone(),
        seed: args.seed,
    })?;
    let plan = Plan {
        by: question.by,
        intervals: question.intervals.clone(),
        samples: SAMPLES,
        seed: args.seed,
    };
    let swept = names.iter().map(|name| {
        let mut machine: SimulatedMachine = name.parse().map_err(Failure::run)?;
        machine.companions = question.with.iter().copied().map(Into::into).collect();
        machine.standing = question.standing;
        run(&machine, &plan).map_err(Failure::run)
    });
    Ok(SweepRecording {
        schema: SCHEMA.to_owned(),
        punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
        samples: plan.samples,
        interrupted: false,
        machines: swept.collect::<Result<_, _>>()?,
        question,
    })
}

/// The given machines, each once, or all machines.
fn names(given: &[MachineName]) -> Result<Vec<String>, Failure> {
    if given.is_empty() {
        return Ok(usual_machines().iter().map(ToString::to_string).collect());
    }
    if given.len() > MOST_MACHINES {
        let problem = format!("at most {MOST_MACHINES} machines fit side by side");
        return Err(Failure::flag("--on", problem));
    }
    for (index, machine) in given.iter().enumerate() {
        if given[..index].contains(machine) {
            let problem = format!("'{machine}' is given twice");
            return Err(Failure::flag("--on", problem));
        }
    }
    Ok(given.iter().map(ToString::to_string).collect())
}
