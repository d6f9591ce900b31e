//! The commands that need simulated machines.

use super::FormatArgs;
use punctual_lab::evidence::RuleChange;

/// List the simulated machines and the rules in which they differ.
///
/// A machine is a version of Windows with the rules by which it ends timed waits, and hardware and
/// settings, which can be changed behind its name. The rules are fitted to published measurements;
/// --long says to which.
#[derive(Debug, clap::Args)]
#[command(after_long_help = MACHINES_EXAMPLES)]
pub struct MachinesArgs {
    /// Say of each rule what it decides and which published cases fix it
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
/// Shows what others have measured on Windows XP to 11 beside what the same programs get on simulated
/// machines, case by case. The rules by which those machines end waits were fitted to these numbers:
/// where a number and a rule disagree, the rule is wrong, and the case stays in the table, failing.
///
/// Change a rule to see which numbers break. Takes a few seconds; the same every time.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EVIDENCE_EXAMPLES)]
pub struct EvidenceArgs {
    /// Replay with a rule changed on every version, as in due-time=coarse; may be given several
    /// times
    ///
    /// A name or value that does not exist is answered with those that do.
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

Exit status: 0 nothing fails but what is expected to, 1 the run failed,
2 the command line is wrong, 3 a published number does not come out.";
