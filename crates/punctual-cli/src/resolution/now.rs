//! `punctual resolution`: shows the current interval.

use super::flags::NowArgs;
use super::show;
use super::{origin, print};
#[cfg(not(feature = "sim"))]
use crate::unsimulated as simulated;
use punctual::Error;
use punctual::os::windows::WindowsOs;
use punctual_command::failure::Failure;
use punctual_lab::resolution::{self, OnWindows};
use punctual_lab::resolution::{Now, Origin};
use punctual_lab::{Machine, Native};
use punctual_windows::os::windows::Win32Lab;
use punctual_windows::resolution::{Observed, observe};
use std::process::ExitCode;
use std::time::Duration;

/// How long to watch the interval.
const WHILE: Duration = Duration::from_secs(1);

pub(super) fn now(args: &NowArgs) -> Result<ExitCode, Failure> {
    let origin = origin(&args.machine);
    let now = match args.machine.on.simulated() {
        Some(simulated) => simulated::run((&simulated, origin))?,
        None => native(origin)?,
    };
    print(args.json, &now, show::now)?;
    Ok(ExitCode::SUCCESS)
}

fn native(origin: Origin) -> Result<Now, Failure> {
    let machine = Native::detect().map_err(Failure::run)?;
    let interval = match resolution::native(Observe) {
        Ok(observed) => Some(observed.map_err(Failure::run)?),
        // Timers there do not wait for ticks. The environment has what matters instead.
        Err(_) => None,
    };
    Ok(Now {
        schema: Now::SCHEMA.to_owned(),
        origin,
        environment: machine.environment(),
        interval,
        requesters: None,
        confidence: None,
    })
}

#[cfg(feature = "sim")]
mod simulated {
    use super::super::simulated::run_on;
    use super::{Now, Origin, WHILE};
    use punctual_command::failure::Failure;
    use punctual_lab::confidence::of_interval;
    use punctual_lab::question::Simulated;
    use punctual_lab::resolution::of_simulated;
    use punctual_windows::resolution::observe;

    pub(super) fn run((simulated, origin): (&Simulated, Origin)) -> Result<Now, Failure> {
        let (machine, environment, (interval, requesters)) =
            run_on(simulated, &origin.with, |os| {
                let interval = observe(os, WHILE);
                (interval, of_simulated(os.win32()))
            })?;
        Ok(Now {
            schema: Now::SCHEMA.to_owned(),
            origin,
            environment,
            interval: Some(interval.map_err(Failure::run)?),
            requesters: Some(requesters),
            confidence: Some(of_interval(&machine)),
        })
    }
}

struct Observe;

impl OnWindows for Observe {
    type Output = Result<Observed, Error>;

    fn on<W: Win32Lab>(self, os: &WindowsOs<W>) -> Self::Output {
        observe(os, WHILE)
    }
}
