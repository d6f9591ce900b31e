//! `punctual trace`: looks into traces without explaining anything.

mod flags;
mod info;
mod show;

pub use flags::TraceArgs;

use flags::{InfoArgs, TraceAction};
use info::Info;
use punctual_command::failure::Failure;
use punctual_command::input;
use punctual_data::escape;
use std::process::ExitCode;

/// Runs the command.
pub fn trace(args: &TraceArgs) -> Result<ExitCode, Failure> {
    match &args.action {
        TraceAction::Info(args) => info(args),
    }
}

fn info(args: &InfoArgs) -> Result<ExitCode, Failure> {
    let wrong = |problem: String| {
        let name = escape::path(&args.file);
        Failure::flag("<FILE>", format!("{name}: {problem}"))
    };
    let bytes = input::bytes(&args.file, input::TRACE);
    let bytes = bytes.map_err(|error| wrong(error.to_string()))?;
    let info = Info::of(&args.file, &bytes).map_err(|error| wrong(error.to_string()))?;
    crate::show::in_format(args.format, &info)?;
    Ok(ExitCode::SUCCESS)
}
