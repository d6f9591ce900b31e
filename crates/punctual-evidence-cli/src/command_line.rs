//! The command line.

use clap::{Parser, Subcommand};
use punctual_command::completions::CompletionsArgs;
use punctual_command::failure::Failure;
use punctual_command::flags::{FormatArgs, parse_whole};
use punctual_evidence::{Case, RuleChange, sources};
use punctual_lab::question::Simulated;
use punctual_lab::simulated::SimulatedMachine;
use std::path::PathBuf;

/// What is known of how Windows ends timed waits, and what is open?
///
/// The rules of simulated machines, such as those of 'punctual --on windows-11', were fitted to published
/// measurements. Where a measurement and a rule disagree, the rule is wrong.
#[derive(Debug, Parser)]
#[command(name = "punctual-evidence", version, max_term_width = 80)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Replay(ReplayArgs),
    Fixes(FixesArgs),
    Hypotheses(HypothesesArgs),
    Settle(Box<SettleArgs>),
    Completions(CompletionsArgs),
    #[command(hide = true)]
    LoadChild(LoadChildArgs),
}

/// The cases that are asked for.
#[derive(Debug, clap::Args)]
pub struct CaseArgs {
    /// A case, by its id; may be given several times [default: all of them]
    #[arg(long, value_name = "ID")]
    pub case: Vec<String>,

    /// Only the cases of one source, such as GRC; after an unknown one, the error lists all
    #[arg(long, value_name = "NAME")]
    pub source: Option<String>,
}

/// Rules that are changed.
#[derive(Debug, clap::Args)]
pub struct RuleArgs {
    /// Change a rule on every version, as in due-time=coarse; may be given several times
    ///
    /// After an unknown name or value, the error lists the known ones.
    #[arg(long, value_name = "RULE=VALUE")]
    pub rule: Vec<RuleChange>,
}

/// Replay published measurements of Windows on simulated machines.
///
/// Shows published measurements of Windows XP to 11 next to the results of the same programs on
/// simulated machines, case by case. The rules of those machines were fitted to these numbers. Where
/// a number and a rule disagree, the rule is wrong, and the case stays in the table as a failure.
///
/// Change a rule to see which numbers break. A replay takes a few seconds and always gives the same
/// result.
#[derive(Debug, clap::Args)]
#[command(after_long_help = REPLAY)]
pub struct ReplayArgs {
    #[command(flatten)]
    pub rules: RuleArgs,

    #[command(flatten)]
    pub cases: CaseArgs,

    #[command(flatten)]
    pub format: FormatArgs,
}

const REPLAY: &str = "\
Examples:
  punctual-evidence replay
  punctual-evidence replay --source VD
  punctual-evidence replay --rule due-time=coarse
  punctual-evidence replay --case grc-2004-8 --rule request-reach=machine --json

Exit status: 0 every case came out as expected, 1 the run failed,
2 the command line is wrong, 3 a case did not come out as expected.";

/// Say which published measurement fixes which rule.
///
/// Every rule gets each of its other values, one at a time, and the cases are replayed. A case that
/// held and then fails excludes the value. Without a case that alone excludes it, the value would
/// survive.
#[derive(Debug, clap::Args)]
#[command(after_long_help = FIXES)]
pub struct FixesArgs {
    #[command(flatten)]
    pub cases: CaseArgs,

    #[command(flatten)]
    pub format: FormatArgs,
}

const FIXES: &str = "\
Examples:
  punctual-evidence fixes
  punctual-evidence fixes --source VD --csv

Exit status: 0 done, 1 the run failed, 2 the command line is wrong; stopped by a
signal: 130 by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP.";

/// Predict what nobody has published, and what each value of an open rule would give.
///
/// Whoever has the machine can refute a prediction, and tell the values apart: 'settle' does.
#[derive(Debug, clap::Args)]
#[command(after_long_help = HYPOTHESES)]
pub struct HypothesesArgs {
    #[command(flatten)]
    pub rules: RuleArgs,

    #[command(flatten)]
    pub format: FormatArgs,
}

const HYPOTHESES: &str = "\
Examples:
  punctual-evidence hypotheses
  punctual-evidence hypotheses --rule due-time=precise --json

Exit status: 0 done, 1 the run failed, 2 the command line is wrong.";

/// Settle on a real Windows 10 or 11 what published measurements leave open.
///
/// How these systems end timed waits is known from published measurements, and some of it is not
/// known. This runs the three experiments that would tell, says which hypotheses they exclude, and
/// prints a text for an issue of Punctual. It takes about a minute and a half.
///
/// Close what plays sound or video first: such programs shorten the timer interval. Nothing is sent
/// anywhere, and nothing on the machine is changed.
#[derive(Debug, clap::Args)]
#[command(after_long_help = SETTLE)]
pub struct SettleArgs {
    /// A tenth of the waits, for a first look: it may exclude less
    #[arg(long)]
    pub quick: bool,

    /// Use a simulated machine, in virtual time: windows-10-1909, windows-10-2004 or windows-11
    ///
    /// Settings and rules may follow the name: windows-10-2004,due-time=coarse. 'punctual windows rules'
    /// lists them.
    #[arg(long, value_name = "MACHINE")]
    pub on: Option<SimulatedMachine>,

    /// The seed of a simulated machine's random numbers
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_whole::<u64>, requires = "on")]
    pub seed: u64,

    /// Also write the recordings, for 'settle --from FILE'
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,

    /// Run nothing, and say which hypotheses a recording of a real Windows excludes
    ///
    /// FILE was written there by 'settle --save FILE', or by 'punctual measure --for 1ms --save FILE'.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["quick", "on", "save"])]
    pub from: Option<PathBuf>,

    #[command(flatten)]
    pub format: FormatArgs,
}

impl SettleArgs {
    /// The machine as a question holds it.
    pub fn simulated(&self) -> Option<Simulated> {
        self.on.as_ref().map(|machine| Simulated {
            machine: machine.to_string(),
            seed: self.seed,
        })
    }
}

const SETTLE: &str = "\
Examples:
  punctual-evidence settle --save settled.json
  punctual-evidence settle --quick
  punctual-evidence settle --on windows-10-2004,due-time=precise
  punctual-evidence settle --from settled.json

Exit status: 0 done, 1 the run failed, 2 the command line is wrong, or this system is
no Windows 10 or 11; stopped by a signal: 130 by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP.";

/// The argument of a child process that plays a companion.
#[derive(Debug, clap::Args)]
pub struct LoadChildArgs {
    pub kind: String,
}

impl CaseArgs {
    /// The requested cases, each with the short name of its source, in the order of the files; all of them if
    /// none is named.
    pub fn chosen(&self) -> Result<Vec<(String, Case)>, Failure> {
        let mut sources = sources();
        if let Some(wanted) = &self.source {
            let names: Vec<_> = sources
                .iter()
                .map(|source| source.source.name.clone())
                .collect();
            sources.retain(|source| source.source.name.eq_ignore_ascii_case(wanted));
            if sources.is_empty() {
                let names = names.join(", ");
                let problem = format!("there is no source '{wanted}'; there are {names}");
                return Err(Failure::flag("--source", problem));
            }
        }
        let mut cases = Vec::new();
        for source in sources {
            let name = &source.source.name;
            cases.extend(source.case.into_iter().map(|case| (name.clone(), case)));
        }
        let is_there = |id: &&String| cases.iter().any(|(_, case)| case.id == **id);
        if let Some(id) = self.case.iter().find(|id| !is_there(id)) {
            let ids: Vec<_> = cases.iter().map(|(_, case)| case.id.as_str()).collect();
            let problem = format!("there is no case '{id}'; there are {}", ids.join(", "));
            return Err(Failure::flag("--case", problem));
        }
        cases.retain(|(_, case)| self.case.is_empty() || self.case.contains(&case.id));
        Ok(cases)
    }
}

impl RuleArgs {
    /// The changes: a rule has one value at a time.
    pub fn changes(self) -> Result<Vec<RuleChange>, Failure> {
        for (index, change) in self.rule.iter().enumerate() {
            let name = change.name();
            if self.rule[..index]
                .iter()
                .any(|earlier| earlier.name() == name)
            {
                let problem = format!("'{name}' is given twice, and a rule has one value");
                return Err(Failure::flag("--rule", problem));
            }
        }
        Ok(self.rule)
    }
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
