//! The command line of `punctual compare`.

use std::path::PathBuf;

/// Compare measurements, method by method: which differences mean something.
///
/// Takes recordings of 'punctual measure --json', the first of which is the baseline. Each statistic
/// of each method is shown as a ratio to the baseline's, with the interval in which the true ratio
/// lies at 99 %, as far as the recordings' own variation tells (found by drawing them anew from
/// batches of consecutive turns). A change is what that interval keeps apart from 1, by 1 % at least;
/// anything else is no change. Lateness is per deadline, missed ones included.
///
/// Machines and questions that differ are named first. A recording cannot know a mood of the machine
/// that lasts longer than it does: before believing a small change, record both sides alternately.
#[derive(Debug, clap::Args)]
#[command(after_long_help = COMPARE_EXAMPLES)]
pub struct CompareArgs {
    /// Recordings; the first is the baseline
    #[arg(value_name = "FILE", required = true, num_args = 2..)]
    pub files: Vec<PathBuf>,

    /// Refuse recordings whose machines or questions differ, instead of naming the differences
    #[arg(long)]
    pub strict: bool,

    /// Print every ratio as JSON instead of tables
    #[arg(long)]
    pub json: bool,
}

const COMPARE_EXAMPLES: &str = "\
Examples:
  punctual measure --json >before.json
  punctual measure --json >after.json
  punctual compare before.json after.json

Exit status: 0 done, 1 a file cannot be read, 2 the command line or a file is
wrong, or --strict refuses.";
