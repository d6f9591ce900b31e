//! `punctual clocks`: what was asked is checked, run on a machine, and shown.

use crate::args::ClocksArgs;
use crate::failure::Failure;
use crate::progress;
use crate::run::{self, EXIT_INTERRUPTED};
use crate::{output, show};
use punctual::Native;
use punctual_lab::clocks::{
    Asked, ClockRecord, ClocksRecording, Examined, Progress, SCHEMA, examine,
};
use punctual_lab::recording::Unavailable;
use punctual_lab::{Environment, Machine};
use std::process::ExitCode;
use std::time::Duration;

#[cfg(not(feature = "sim"))]
use crate::unsimulated as simulated;

/// Rates over less than this say nothing: a clock that moves with timer interrupts would move twice.
const SHORTEST: Duration = Duration::from_millis(50);

/// What was found out, and of what.
struct Found {
    environment: Environment,
    clocks: Vec<Examined>,
    unavailable: Vec<Unavailable>,
    interrupted: bool,
}

/// Runs the command.
pub fn clocks(args: &ClocksArgs) -> Result<ExitCode, Failure> {
    if args.duration < SHORTEST {
        let problem = "too short to compare rates; the least is 50ms";
        return Err(Failure::flag("--duration", problem));
    }
    let found = match &args.on {
        Some(machine) => simulated::run(args, machine)?,
        None => native(args)?,
    };
    let recording = recording(args, found);
    output::print(|out| {
        if args.json {
            serde_json::to_writer_pretty(&mut *out, &recording)?;
            return writeln!(out);
        }
        show::clocks(out, &recording)
    })?;
    Ok(if recording.interrupted {
        ExitCode::from(EXIT_INTERRUPTED)
    } else {
        ExitCode::SUCCESS
    })
}

/// Of the time that the rates take, which is nearly all of it.
struct Bar(progress::Progress);

impl Bar {
    fn of(duration: Duration) -> Self {
        let template = "comparing rates {bar:40} {percent:>3} %, {eta} left";
        Self(progress::Progress::of(milliseconds(duration), template))
    }
}

impl Progress for Bar {
    fn reach(&mut self, elapsed: Duration) {
        self.0.reach(milliseconds(elapsed));
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

fn native(args: &ClocksArgs) -> Result<Found, Failure> {
    let machine = Native::detect().map_err(Failure::run)?;
    let stop = run::cancel_on_ctrl_c(&machine)?;
    let environment = machine.environment();
    let mut bar = Bar::of(args.duration);
    let examined = examine(&machine, &Native::clocks(), args.duration, &stop, &mut bar);
    let (clocks, unavailable) = examined.map_err(Failure::run)?;
    Ok(Found {
        environment,
        clocks,
        unavailable,
        interrupted: stop.is_cancelled(),
    })
}

#[cfg(feature = "sim")]
mod simulated {
    use super::{Bar, Found};
    use crate::args::ClocksArgs;
    use crate::failure::Failure;
    use punctual::Cancel;
    use punctual_lab::Machine;
    use punctual_lab::clocks::examine;
    use punctual_lab::simulated::{SimulatedMachine, SimulatedOs};

    pub(super) fn run(args: &ClocksArgs, machine: &SimulatedMachine) -> Result<Found, Failure> {
        let duration = args.duration;
        let run = machine.run(args.seed, move |os| {
            let environment = os.environment();
            let (never, mut bar) = (Cancel::on(os.clone()), Bar::of(duration));
            let clocks = SimulatedOs::clocks();
            let examined = examine(&os, &clocks, duration, &never, &mut bar);
            examined.map(|(clocks, unavailable)| Found {
                environment,
                clocks,
                unavailable,
                interrupted: false,
            })
        });
        let mut found = run.map_err(Failure::run)?.value.map_err(Failure::run)?;
        found.environment.system = Some(format!("{machine}, simulated"));
        Ok(found)
    }
}

fn recording(args: &ClocksArgs, found: Found) -> ClocksRecording {
    ClocksRecording {
        schema: SCHEMA.to_owned(),
        punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
        environment: found.environment,
        asked: Asked {
            on: args.on.as_ref().map(ToString::to_string),
            seed: args.on.as_ref().map(|_| args.seed),
            ..Asked::of(args.duration)
        },
        interrupted: found.interrupted,
        unavailable: found.unavailable,
        clocks: found.clocks.iter().map(ClockRecord::from).collect(),
    }
}
