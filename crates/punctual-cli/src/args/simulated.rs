//! The commands that need simulated machines.

use super::FormatArgs;
use punctual_lab::evidence::RuleChange;

/// List the simulated machines and the rules in which they differ.
///
/// A machine is a version of Windows: rules that say when its timed waits end, and settings such as
/// the number of processors, which you can append to its name. The rules are fitted to published
/// measurements, which --long names.
#[derive(Debug, clap::Args)]
#[command(after_long_help = MACHINES_EXAMPLES)]
pub struct MachinesArgs {
    /// Show for each rule what it decides and which published cases fix it
    #[arg(long, conflicts_with = "FormatArgs")]
    pub long: bool,

    #[command(flatten)]
    pub format: FormatArgs,
}

const MACHINES_EXAMPLES: &str = "\
Examples:
  punctual machines
  punctual machines --long
  punctual sweep --on windows-7,default-interval=15.6ms,processors=2";

/// Replay published measurements of Windows on simulated machines.
///
/// Shows published measurements of Windows XP to 11 next to the results of the same programs on
/// simulated machines, case by case. The rules of those machines were fitted to these numbers. Where
/// a number and a rule disagree, the rule is wrong, and the case stays in the table as a failure.
///
/// Change a rule to see which numbers break. A replay takes a few seconds and always gives the same
/// result.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EVIDENCE_EXAMPLES)]
pub struct EvidenceArgs {
    /// Change a rule on every version, as in due-time=coarse; may be given several times
    ///
    /// After an unknown name or value, the error lists the known ones.
    #[arg(long, value_name = "RULE=VALUE")]
    pub rule: Vec<RuleChange>,

    /// A case to replay, by its id; may be given several times [default: all of them]
    #[arg(long, value_name = "ID")]
    pub case: Vec<String>,

    /// Only the cases of one source: DOC, GRC, SIL, SVI or VD
    #[arg(long, value_name = "NAME")]
    pub source: Option<String>,

    #[command(flatten)]
    pub format: FormatArgs,
}

const EVIDENCE_EXAMPLES: &str = "\
Examples:
  punctual evidence
  punctual evidence --source VD
  punctual evidence --rule due-time=coarse
  punctual evidence --case grc-2004-8 --rule request-reach=machine --json

Exit status: 0 every case came out as expected, 1 the run failed,
2 the command line is wrong, 3 a case did not come out as expected.";
