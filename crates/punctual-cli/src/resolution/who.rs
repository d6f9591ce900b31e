//! `punctual resolution who`: lists the requesters of a timer interval.

use super::flags::WhoArgs;
use super::origin;
use super::print;
use super::show;
use crate::refusal::INSTEAD;
#[cfg(not(feature = "sim"))]
use crate::unsimulated as simulated;
use punctual::os::windows::WindowsOs;
use punctual_command::failure::Failure;
use punctual_command::input;
use punctual_command::stop::Stop;
use punctual_data::escape;
use punctual_lab::resolution::Asked;
use punctual_lab::resolution::{self, OnWindows};
use punctual_windows::os::windows::Win32Lab;
use punctual_windows::requesters::Requesters;
use std::fmt;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

pub(super) fn who(args: &WhoArgs, stop: &Stop) -> Result<ExitCode, Failure> {
    let requesters = match (&args.from, args.machine.on.simulated()) {
        (Some(file), _) => read(file).map_err(|problem| Failure::flag("--from", problem))?,
        (None, Some(simulated)) => simulated::run((&simulated, &args.machine.with[..]))?,
        (None, None) => run(stop)?,
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
    use punctual_lab::resolution::of_simulated;
    use punctual_windows::requesters::Requesters;

    pub(super) fn run(
        (simulated, with): (&Simulated, &[Companion]),
    ) -> Result<Requesters, Failure> {
        let found = run_on(simulated, with, |os| of_simulated(os.win32()));
        found.map(|(_, _, requesters)| requesters)
    }
}

fn read(file: &Path) -> Result<Requesters, String> {
    let name = escape::path(file);
    let bytes =
        input::bytes(file, input::ENERGY_REPORT).map_err(|error| format!("{name}: {error}"))?;
    Requesters::of_report(&bytes).map_err(|error| format!("{name}: {error}"))
}

// Runs `powercfg /energy`, which needs an administrator, and reads its report.

/// The seconds of its trace: the fewest that it allows.
const SECONDS: &str = "1";

fn run(stop: &Stop) -> Result<Requesters, Failure> {
    resolution::native(Ask { stop }).map_err(|error| {
        let problem = format!("{error}; give a report of 'powercfg /energy'{INSTEAD}");
        Failure::flag("--from", problem)
    })?
}

struct Ask<'a> {
    stop: &'a Stop,
}

impl OnWindows for Ask<'_> {
    type Output = Result<Requesters, Failure>;

    fn on<W: Win32Lab>(self, os: &WindowsOs<W>) -> Self::Output {
        let system = os.win32().get_system_directory_w();
        let system = system.map_err(|error| cannot_run(&error))?;
        // Ctrl-C also reaches powercfg and ends it. Then this process ends and deletes the folder.
        let guard = self.stop.guard();
        // A folder of our own with a name that nobody can guess, deleted when this is dropped: a file
        // prepared under a known name could make an administrator write elsewhere.
        let folder = tempfile::Builder::new().prefix("punctual-").tempdir();
        let folder = folder.map_err(|error| {
            Failure::run(format!(
                "cannot make a folder for powercfg's report: {error}"
            ))
        })?;
        let report = folder.path().join("energy.xml");
        write(&system, &report)?;
        let found = read(&report).map_err(Failure::run);
        drop(folder);
        match guard.end() {
            true => Err(Failure::Stopped),
            false => found,
        }
    }
}

/// Runs powercfg, which writes the report.
fn write(system: &Path, report: &Path) -> Result<(), Failure> {
    let output = powercfg(system, report)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| cannot_run(&error))?;
    // Its status also depends on findings in the report, so only the report itself counts.
    if report.exists() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stdout);
    let said = said.trim().lines().last().unwrap_or("it gave no reason");
    Err(Failure::run(format!(
        "powercfg did not write a report: {said} (it needs an administrator; or give a report with \
         --from)"
    )))
}

/// The system's own program, by its path. A bare name would also be looked for beside this program and
/// in `PATH`, and be run as an administrator.
fn powercfg(system: &Path, report: &Path) -> Command {
    let mut command = Command::new(system.join("powercfg.exe"));
    command
        .args(["/energy", "/xml", "/duration", SECONDS, "/output"])
        .arg(report);
    command
}

fn cannot_run(error: &dyn fmt::Display) -> Failure {
    Failure::run(format!("cannot run powercfg: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powercfg_is_named_by_its_path() {
        let (system, report) = (Path::new("system"), Path::new("energy.xml"));
        let command = powercfg(system, report);
        assert_eq!(command.get_program(), system.join("powercfg.exe"));
        assert_eq!(command.get_args().last(), Some(report.as_os_str()));
    }
}
