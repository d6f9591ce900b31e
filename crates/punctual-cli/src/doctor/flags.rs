//! The command line of `punctual doctor`.

use punctual_command::flags::FormatArgs;

/// Check what this machine permits, and name the commands that permit the rest.
///
/// Examines everything that affects the punctuality of waits: priorities, processors and quotas,
/// locked memory, processor sleep states, the clock, timers and their slack, the kernel's trace
/// (for 'explain') and every way of waiting. To learn whether an action is permitted, it does the
/// action and undoes it at once, so nothing stays changed. Each finding states its effect on waits
/// and, where there is one, the command that helps.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct DoctorArgs {
    #[command(flatten)]
    pub format: FormatArgs,
}

const EXAMPLES: &str = "\
Examples:
  punctual doctor
  punctual doctor --json
  punctual doctor --markdown

Exit status: 0 the machine was examined, 1 it could not be; stopped by a signal:
130 by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP.";
