//! `punctual clocks`: what was asked is checked, run on a machine, and shown.

use crate::args::ClocksArgs;
use crate::failure::Failure;
use crate::output;
use crate::progress;
use crate::run::{self, EXIT_INTERRUPTED};
use punctual_lab::Native;
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

/// Rates to a part in ten thousand, for clocks that move with timer interrupts.
const USUAL: Duration = Duration::from_secs(2);

/// With the examination of each clock by itself, two seconds.
const QUICK: Duration = Duration::from_millis(500);

/// What was found out, and of what.
struct Found {
    environment: Environment,
    clocks: Vec<Examined>,
    unavailable: Vec<Unavailable>,
    interrupted: bool,
}

/// Runs the command.
pub fn clocks(args: &ClocksArgs) -> Result<ExitCode, Failure> {
    let duration = match args.quick {
        true => QUICK,
        false => args.duration.unwrap_or(USUAL),
    };
    if duration < SHORTEST {
        let problem = "too short to compare rates; the least is 50ms";
        return Err(Failure::flag("--duration", problem));
    }
    let found = match &args.on {
        Some(machine) => simulated::run(&(args.seed, duration), machine)?,
        None => native(duration)?,
    };
    let recording = recording(args, duration, found);
    output::show(args.format, &recording)?;
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
        Self(progress::Progress::of(
            "comparing rates",
            milliseconds(duration),
        ))
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

fn native(duration: Duration) -> Result<Found, Failure> {
    let machine = Native::detect().map_err(Failure::run)?;
    let stop = run::cancel_on_ctrl_c(&machine)?;
    let environment = machine.environment();
    let mut bar = Bar::of(duration);
    let examined = examine(&machine, &Native::clocks(), duration, &stop, &mut bar);
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
    use super::{Bar, Found, Progress};
    use crate::failure::Failure;
    use crate::run::simulated::{Stop, stop_on_ctrl_c};
    use punctual::Cancel;
    use punctual_lab::Machine;
    use punctual_lab::clocks::examine;
    use punctual_lab::simulated::{SimulatedMachine, SimulatedOs};
    use std::time::Duration;

    pub(super) fn run(
        &(seed, duration): &(u64, Duration),
        machine: &SimulatedMachine,
    ) -> Result<Found, Failure> {
        let stop = stop_on_ctrl_c()?;
        let stops = stop.clone();
        let run = machine.run(seed, move |os| {
            let environment = os.environment();
            let cancel = Cancel::on(os.clone());
            let mut watched = Watched {
                bar: Bar::of(duration),
                stop: stops,
                cancel: cancel.clone(),
            };
            let clocks = SimulatedOs::clocks();
            let examined = examine(&os, &clocks, duration, &cancel, &mut watched);
            examined.map(|(clocks, unavailable)| Found {
                environment,
                clocks,
                unavailable,
                interrupted: cancel.is_cancelled(),
            })
        });
        stop.heed();
        let mut found = run.map_err(Failure::run)?.value.map_err(Failure::run)?;
        found.environment.system = Some(format!("{machine}, simulated"));
        Ok(found)
    }

    /// Shows progress, and cancels the comparison when asked to stop.
    struct Watched {
        bar: Bar,
        stop: Stop,
        cancel: Cancel<SimulatedOs>,
    }

    impl Progress for Watched {
        fn reach(&mut self, elapsed: Duration) {
            self.bar.reach(elapsed);
            if self.stop.is_asked_for() {
                self.cancel.cancel();
            }
        }
    }
}

fn recording(args: &ClocksArgs, duration: Duration, found: Found) -> ClocksRecording {
    ClocksRecording {
        schema: SCHEMA.to_owned(),
        punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
        environment: found.environment,
        asked: Asked {
            on: args.on.as_ref().map(ToString::to_string),
            seed: args.on.as_ref().map(|_| args.seed),
            ..Asked::of(duration)
        },
        interrupted: found.interrupted,
        unavailable: found.unavailable,
        clocks: found.clocks.iter().map(ClockRecord::from).collect(),
    }
}
