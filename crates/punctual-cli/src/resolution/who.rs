//! `punctual resolution who`: lists the requesters of a timer interval.

mod powercfg;

use super::flags::WhoArgs;
use super::show;
use super::{origin, print};
#[cfg(not(feature = "sim"))]
use crate::unsimulated as simulated;
use punctual_command::failure::Failure;
use punctual_command::input;
use punctual_command::stop::Stop;
use punctual_data::escape;
use punctual_lab::resolution::Requesters;
use punctual_lab::resolution::recording::Asked;
use std::path::Path;
use std::process::ExitCode;

pub(super) fn who(args: &WhoArgs, stop: &Stop) -> Result<ExitCode, Failure> {
    let requesters = match (&args.from, args.machine.on.simulated()) {
        (Some(file), _) => read(file).map_err(|problem| Failure::flag("--from", problem))?,
        (None, Some(simulated)) => simulated::run((&simulated, &args.machine.with[..]))?,
        (None, None) => powercfg::run(stop)?,
    };
    let asked = Asked {
        schema: Asked::SCHEMA.to_owned(),
        origin: origin(&args.machine),
        report: args.from.as_ref().map(|file| file.display().to_string()),
        requesters,
    };
    print(args.json, &asked, show::asked)?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(feature = "sim")]
mod simulated {
    use super::super::simulated::run_on;
    use punctual_command::failure::Failure;
    use punctual_lab::conditions::Companion;
    use punctual_lab::question::Simulated;
    use punctual_lab::resolution::Requesters;

    pub(super) fn run(
        (simulated, with): (&Simulated, &[Companion]),
    ) -> Result<Requesters, Failure> {
        let found = run_on(simulated, with, |os| Requesters::of_simulated(os.win32()));
        found.map(|(_, _, requesters)| requesters)
    }
}

fn read(file: &Path) -> Result<Requesters, String> {
    let name = escape::path(file);
    let bytes = input::bytes(file, input::ENERGY_REPORT)
        .map_err(|error| format!("cannot read '{name}': {error}"))?;
    Requesters::of_report(&bytes).map_err(|error| format!("'{name}': {error}"))
}
