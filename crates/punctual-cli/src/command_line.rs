//! The command line with every command. The flags of each command are in its own folder.

use crate::clocks::ClocksArgs;
use crate::compare::CompareArgs;
use crate::completions::CompletionsArgs;
use crate::doctor::DoctorArgs;
use crate::escape;
#[cfg(feature = "sim")]
use crate::evidence::EvidenceArgs;
use crate::explain::ExplainArgs;
#[cfg(feature = "sim")]
use crate::machines::MachinesArgs;
use crate::manual::ManArgs;
use crate::measure::MeasureArgs;
use crate::pace::PaceArgs;
use crate::report::ReportArgs;
use crate::resolution::ResolutionArgs;
use crate::sweep::SweepArgs;
#[cfg(not(feature = "sim"))]
use crate::unsimulated::{Anything as EvidenceArgs, Anything as MachinesArgs};
use clap::{CommandFactory, Parser, Subcommand};
use std::ffi::OsString;

/// How punctual is this machine?
///
/// A program that waits for a time is woken late. Timer slack, sleeping processors and other
/// programs delay it. Punctual measures the delay for each way of waiting, its own included.
#[derive(Debug, Parser)]
#[command(name = "punctual", bin_name = "punctual", version, max_term_width = 80)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

/// Reads the command line. Help and version also come as errors.
///
/// The parser's errors quote arguments as they are. So the error is made once more, of the arguments
/// as they are shown.
pub fn parse(words: Vec<OsString>) -> Result<Args, clap::Error> {
    Args::try_parse_from(&words).map_err(|error| {
        let shown = words.iter().map(|word| escape::os(word));
        match Args::try_parse_from(shown) {
            Err(same) if same.kind() == error.kind() => same,
            // Wrong only as it is, such as text that is not UTF-8.
            _ => Args::command().error(error.kind(), error.kind()),
        }
    })
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Measure(Box<MeasureArgs>),
    Compare(CompareArgs),
    Pace(Box<PaceArgs>),
    Clocks(ClocksArgs),
    Sweep(SweepArgs),
    #[cfg_attr(not(feature = "sim"), command(hide = true))]
    Machines(MachinesArgs),
    #[cfg_attr(not(feature = "sim"), command(hide = true))]
    Evidence(EvidenceArgs),
    Resolution(Box<ResolutionArgs>),
    Explain(Box<ExplainArgs>),
    Report(ReportArgs),
    Doctor(DoctorArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
    #[command(hide = true)]
    LoadChild(LoadChildArgs),
}

/// The argument of a child process that is part of a load or a companion.
#[derive(Debug, clap::Args)]
pub struct LoadChildArgs {
    pub kind: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }
}
