//! `punctual resolution`: what the interval is.

use super::{origin, print, run_on, simulated};
use crate::args::NowArgs;
use crate::failure::Failure;
use crate::show;
use punctual::os::windows::{Win32Lab, WindowsOs};
use punctual::{Error, Native};
use punctual_lab::resolution::recording::Now;
use punctual_lab::resolution::{self, Observed, OnWindows, Requesters};
use punctual_lab::{Environment, Machine};
use std::process::ExitCode;
use std::time::Duration;

/// For how long it is looked at.
const WHILE: Duration = Duration::from_secs(1);

pub(super) fn now(args: &NowArgs) -> Result<ExitCode, Failure> {
    let (environment, interval, requesters) = match simulated(&args.machine) {
        Some(machine) => {
            let found = run_on(&machine, &args.machine, |os| {
                let interval = resolution::observe(os, WHILE)?;
                Ok::<_, Error>((
                    os.environment(),
                    interval,
                    Requesters::of_simulated(os.win32()),
                ))
            })?;
            let (mut environment, interval, requesters) = found.map_err(Failure::run)?;
            environment.system = Some(format!("{machine}, simulated"));
            (environment, Some(interval), Some(requesters))
        }
        None => {
            let (environment, interval) = native()?;
            (environment, interval, None)
        }
    };
    let now = Now {
        schema: Now::SCHEMA.to_owned(),
        origin: origin(&args.machine),
        environment,
        interval,
        requesters,
    };
    print(args.json, &now, show::resolution::now)?;
    Ok(ExitCode::SUCCESS)
}

fn native() -> Result<(Environment, Option<Observed>), Failure> {
    let machine = Native::detect().map_err(Failure::run)?;
    let interval = match resolution::native(Observe) {
        Ok(observed) => Some(observed.map_err(Failure::run)?),
        // Timers there don't wait for ticks: the environment says what matters instead.
        Err(_) => None,
    };
    Ok((machine.environment(), interval))
}

struct Observe;

impl OnWindows for Observe {
    type Output = Result<Observed, Error>;

    fn on<W: Win32Lab>(self, os: &WindowsOs<W>) -> Self::Output {
        resolution::observe(os, WHILE)
    }
}
