//! The command line of `punctual settle`.

use crate::flags::OnArgs;
use punctual_command::flags::FormatArgs;
use std::path::PathBuf;

/// Settle on a real Windows 10 or 11 what published measurements leave open.
///
/// How these systems end timed waits is known from published measurements, and some of it is not
/// known. This runs the three experiments that would tell, says which hypotheses they exclude, and
/// prints a text for an issue of Punctual. It takes about a minute and a half.
///
/// Close what plays sound or video first: such programs shorten the timer interval. Nothing is sent
/// anywhere, and nothing on the machine is changed.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct SettleArgs {
    /// A tenth of the waits, for a first look: it may exclude less
    #[arg(long)]
    pub quick: bool,

    #[command(flatten)]
    pub on: OnArgs,

    /// Also write the recordings, for 'punctual evidence --from FILE'
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,

    #[command(flatten)]
    pub format: FormatArgs,
}

const EXAMPLES: &str = "\
Examples:
  punctual settle --save settled.json
  punctual settle --quick
  punctual settle --on windows-10-2004,due-time=precise

Exit status: 0 done, 1 the run failed, 2 the command line is wrong, or this system is
no Windows 10 or 11; stopped by a signal: 130 by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP.";
