//! The command line of `punctual doctor`.

use super::FormatArgs;

/// Say what this machine permits, and the command that would permit the rest.
///
/// Looks at everything on which punctual waiting depends: priorities, processors and quotas, locked
/// memory, sleeping processors, the clock, timers and their slack, the kernel's trace (for
/// 'explain') and every way of waiting. What may be done is found by doing it and undoing it at
/// once; nothing is changed. Each thing that could be better comes with its effect on waits, and
/// with the command that would help, where there is one.
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

Exit status: 0 examined, whatever was found, 1 it could not be.";
