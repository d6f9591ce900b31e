//! Runs `powercfg /energy`, which needs an administrator, and reads its report.

use super::read;
use crate::failure::Failure;
use crate::interrupt::Stop;
use punctual::os::windows::{Win32Lab, WindowsOs};
use punctual_lab::resolution::{self, OnWindows, Requesters};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The seconds of its trace: the fewest that it allows.
const SECONDS: &str = "1";

pub(super) fn run(stop: &Stop) -> Result<Requesters, Failure> {
    resolution::native(Ask { stop }).map_err(|error| {
        Failure::flag(
            "--from",
            format!("{error}; give a report of 'powercfg /energy', or a machine with --on"),
        )
    })?
}

struct Ask<'a> {
    stop: &'a Stop,
}

impl OnWindows for Ask<'_> {
    type Output = Result<Requesters, Failure>;

    fn on<W: Win32Lab>(self, _: &WindowsOs<W>) -> Self::Output {
        // Ctrl-C also reaches powercfg and ends it. Then this process ends and deletes the report.
        let _heeding = self.stop.heed();
        let report = Report::new();
        write(&report.0)?;
        read(&report.0).map_err(Failure::run)
    }
}

/// Runs powercfg, which writes the report.
fn write(report: &Path) -> Result<(), Failure> {
    let mut command = Command::new("powercfg");
    command
        .args(["/energy", "/xml", "/duration", SECONDS, "/output"])
        .arg(report);
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Failure::run(format!("cannot run powercfg: {error}")))?;
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

/// A file for the report, deleted when this is dropped.
struct Report(PathBuf);

impl Report {
    fn new() -> Self {
        let name = format!("punctual-energy-{}.xml", std::process::id());
        Self(std::env::temp_dir().join(name))
    }
}

impl Drop for Report {
    fn drop(&mut self) {
        // There is no file if powercfg was refused.
        let _ = std::fs::remove_file(&self.0);
    }
}
