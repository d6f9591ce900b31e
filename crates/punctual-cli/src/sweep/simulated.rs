//! `punctual sweep` on simulated machines.

use super::intervals;
use crate::args::SweepArgs;
use crate::failure::Failure;
use crate::output;
use punctual_lab::simulated::SimulatedMachine;
use punctual_lab::simulated::sweep::{self, Plan};
use punctual_lab::sweep::{SCHEMA, SweepRecording};
use std::process::ExitCode;

/// Seconds of virtual time per request: enough for a mean that repeats to a tenth of a millisecond
/// where sleeps differ, few enough for six versions in less than a second.
const SAMPLES: u32 = 10;

/// What fits side by side in 80 columns.
const MOST_MACHINES: usize = 7;

pub(super) fn sweep(args: &SweepArgs) -> Result<ExitCode, Failure> {
    let machines = machines(args)?;
    let plan = Plan {
        by: args.by.into(),
        intervals: intervals(args)?,
        samples: SAMPLES,
        seed: args.seed,
    };
    let swept = machines.iter().map(|machine| sweep::run(machine, &plan));
    let recording = SweepRecording {
        schema: SCHEMA.to_owned(),
        punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
        seed: plan.seed,
        samples: plan.samples,
        by: plan.by,
        with: args.with.iter().map(ToString::to_string).collect(),
        interrupted: false,
        machines: swept.collect::<Result<_, _>>().map_err(Failure::run)?,
    };
    output::show(args.format, &recording)?;
    Ok(ExitCode::SUCCESS)
}

/// The machines named, each once, or all; and on each of them the same company.
fn machines(args: &SweepArgs) -> Result<Vec<SimulatedMachine>, Failure> {
    let mut machines = args.on.clone();
    if machines.is_empty() {
        machines = sweep::usual_machines();
    }
    if machines.len() > MOST_MACHINES {
        let problem = format!("at most {MOST_MACHINES} machines fit side by side");
        return Err(Failure::flag("--on", problem));
    }
    for (index, machine) in machines.iter().enumerate() {
        if machines[..index].contains(machine) {
            let problem = format!("'{machine}' is given twice");
            return Err(Failure::flag("--on", problem));
        }
    }
    for machine in &mut machines {
        machine.companions = args.with.iter().copied().map(Into::into).collect();
    }
    Ok(machines)
}
