//! The command line with every command. The flags of each command are in its own folder.

use crate::clocks::ClocksArgs;
use crate::compare::CompareArgs;
use crate::completions::CompletionsArgs;
use crate::doctor::DoctorArgs;
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
use clap::{Parser, Subcommand};

/// How punctual is this machine?
///
/// A program that waits for a time is woken late. Timer slack, sleeping processors and other
/// programs delay it. Punctual measures the delay for each way of waiting, its own included.
#[derive(Debug, Parser)]
#[command(name = "punctual", version, max_term_width = 80)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
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
    ReportStep(ReportStepArgs),
    #[command(hide = true)]
    LoadChild(LoadChildArgs),
}

/// A command that `report` runs. It ends with its standard input.
#[derive(Debug, clap::Args)]
#[command(disable_help_flag = true)]
pub struct ReportStepArgs {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub words: Vec<String>,
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
