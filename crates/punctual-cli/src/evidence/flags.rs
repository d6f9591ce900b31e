//! The command line of `punctual evidence`.

use punctual_command::flags::FormatArgs;
use punctual_evidence::RuleChange;
use std::path::PathBuf;

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

    /// Only the cases of one source, such as GRC; after an unknown one, the error lists all
    #[arg(long, value_name = "NAME")]
    pub source: Option<String>,

    /// Try other rules, instead
    #[arg(long, value_name = "WHAT", conflicts_with = "rule")]
    pub search: Option<Search>,

    /// Say which hypotheses a recording of a real Windows excludes, instead
    ///
    /// FILE was written there by 'punctual settle --save FILE', or by 'punctual sleep --save FILE'.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["rule", "case", "source", "search"]
    )]
    pub from: Option<PathBuf>,

    #[command(flatten)]
    pub format: FormatArgs,
}

/// Which rules are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Search {
    /// Every rule, one at a time: which case fixes it, and what would survive without that case
    Rules,
}

const EVIDENCE_EXAMPLES: &str = "\
Examples:
  punctual evidence
  punctual evidence --source VD
  punctual evidence --rule due-time=coarse
  punctual evidence --search rules
  punctual evidence --case grc-2004-8 --rule request-reach=machine --json

Exit status: 0 every case came out as expected, 1 the run failed,
2 the command line is wrong, 3 a case did not come out as expected.";
