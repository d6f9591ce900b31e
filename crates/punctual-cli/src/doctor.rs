//! `punctual doctor`: what this machine permits.

mod flags;
mod show;

pub use flags::DoctorArgs;

use crate::failure::Failure;
use crate::output;
use punctual_lab::Native;
use punctual_lab::doctor::{self, Examination, SCHEMA};
use punctual_lab::machine::Finding;
use punctual_trace::Capture;
use std::process::ExitCode;

/// Runs the command.
pub fn doctor(args: &DoctorArgs) -> Result<ExitCode, Failure> {
    let machine = Native::detect().map_err(Failure::run)?;
    let mut findings = doctor::examine(&machine);
    findings.push(trace());
    let examination = Examination {
        schema: SCHEMA.to_owned(),
        punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
        findings,
    };
    output::show(args.format, &examination)?;
    Ok(ExitCode::SUCCESS)
}

/// A capture is prepared, and gone again before it has recorded anything.
fn trace() -> Finding {
    Finding::attempted(
        "kernel trace",
        Capture::prepare(),
        "'punctual explain' can say why each wake-up was late",
        Capture::remedy(),
    )
}
