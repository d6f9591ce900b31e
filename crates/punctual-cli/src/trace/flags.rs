//! `punctual trace` and the commands below it.

use clap::Subcommand;
use punctual_command::flags::FormatArgs;
use std::path::PathBuf;

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
