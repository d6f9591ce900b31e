//! `punctual trace`: looks into traces without explaining anything.

mod info;
mod show;

use clap::Subcommand;
use info::Info;
use punctual_command::failure::Failure;
use punctual_command::flags::FormatArgs;
use punctual_command::input;
use punctual_data::escape;
use std::path::PathBuf;
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

// `punctual trace` and the commands below it.

/// Look into a trace.
#[derive(Debug, clap::Args)]
pub struct TraceArgs {
    #[command(subcommand)]
    pub action: TraceAction,
}

#[derive(Debug, Subcommand)]
pub enum TraceAction {
    Info(InfoArgs),
}

const EXAMPLES: &str = "\
Examples:
  punctual trace info trace.etl
  punctual explain --from trace.etl --thread game.exe

To record a log on Windows 10 or 11, as administrator:
  wpr -start CPU
  (wait until it has happened)
  wpr -stop trace.etl";

/// Show what is in a trace: where and when it was recorded, what was lost, which programs wait, and
/// how many events it has of each kind.
///
/// It reads logs of Windows (.etl), the text that xperf's dumper writes of one, and the traces that
/// 'punctual explain --save' writes.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct InfoArgs {
    /// The trace
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    #[command(flatten)]
    pub format: FormatArgs,
}
