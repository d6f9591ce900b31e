//! The command line with every command. The flags of each command are in its own folder.

use crate::clocks::ClocksArgs;
use crate::compare::CompareArgs;
use crate::completions::CompletionsArgs;
use crate::doctor::DoctorArgs;
#[cfg(feature = "sim")]
use crate::emulate::RunArgs;
#[cfg(feature = "sim")]
use crate::evidence::EvidenceArgs;
use crate::explain::ExplainArgs;
#[cfg(feature = "fleet")]
use crate::fleet::FleetArgs;
#[cfg(feature = "sim")]
use crate::languages::LanguagesArgs;
#[cfg(feature = "sim")]
use crate::machines::MachinesArgs;
use crate::manual::ManArgs;
use crate::measure::MeasureArgs;
use crate::pace::PaceArgs;
#[cfg(feature = "sim")]
use crate::personas::PersonasArgs;
use crate::report::ReportArgs;
use crate::resolution::ResolutionArgs;
#[cfg(feature = "sim")]
use crate::settle::SettleArgs;
use crate::sleep::SleepArgs;
use crate::sweep::SweepArgs;
use crate::trace::TraceArgs;
#[cfg(not(feature = "fleet"))]
use crate::unbuilt::Anything as FleetArgs;
#[cfg(not(feature = "watch"))]
use crate::unbuilt::Anything as WatchArgs;
#[cfg(not(feature = "sim"))]
use crate::unbuilt::{
    Anything as EvidenceArgs, Anything as LanguagesArgs, Anything as MachinesArgs,
    Anything as PersonasArgs, Anything as RunArgs, Anything as SettleArgs,
};
#[cfg(feature = "watch")]
use crate::watch::WatchArgs;
use clap::{CommandFactory, Parser, Subcommand};
use punctual_data::escape;
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
    Sleep(Box<SleepArgs>),
    Clocks(ClocksArgs),
    Sweep(SweepArgs),
    #[cfg_attr(not(feature = "sim"), command(hide = true))]
    Machines(MachinesArgs),
    #[cfg_attr(not(feature = "sim"), command(hide = true))]
    Evidence(EvidenceArgs),
    #[cfg_attr(not(feature = "sim"), command(hide = true))]
    Languages(LanguagesArgs),
    #[cfg_attr(not(feature = "sim"), command(hide = true))]
    Personas(PersonasArgs),
    #[cfg_attr(not(feature = "sim"), command(hide = true))]
    Settle(SettleArgs),
    #[cfg_attr(not(feature = "sim"), command(hide = true))]
    Run(Box<RunArgs>),
    Resolution(Box<ResolutionArgs>),
    #[cfg_attr(not(feature = "watch"), command(hide = true))]
    Watch(Box<WatchArgs>),
    #[cfg_attr(not(feature = "fleet"), command(hide = true))]
    Fleet(FleetArgs),
    Explain(Box<ExplainArgs>),
    Trace(TraceArgs),
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
    use clap::builder::StyledStr;
    use punctual_data::escape::is_plain;
    use std::collections::BTreeSet;

    const HOSTILE: &str = "\u{1b}[35m\r\nFORGED\u{9b}\u{202e}";
    const SHOWN: &str = r"\u{1b}[35m\r\nFORGED\u{9b}\u{202e}";

    /// The commands with the words that choose them, subcommands of commands included.
    fn commands(of: &clap::Command, words: &[String]) -> Vec<(Vec<String>, clap::Command)> {
        let mut all = vec![(words.to_vec(), of.clone())];
        for below in of.get_subcommands() {
            let words = [words, &[below.get_name().to_owned()]].concat();
            all.extend(commands(below, &words));
        }
        all
    }

    fn parsed(words: &[String]) -> Result<Args, clap::Error> {
        let words = ["\u{1b}[35mpunctual".to_owned()]
            .into_iter()
            .chain(words.iter().cloned());
        parse(words.map(OsString::from).collect())
    }

    #[track_caller]
    fn is_harmless(text: &StyledStr) -> String {
        // The parser's own styles.
        let mut text = text.ansi().to_string();
        for style in ["0", "1", "4", "31", "32", "33"] {
            text = text.replace(&format!("\u{1b}[{style}m"), "");
        }
        let text_is_plain = text.chars().all(|shown| shown == '\n' || is_plain(shown));
        assert!(text_is_plain && !text.contains("\nFORGED"), "{text:?}");
        text
    }

    #[test]
    fn no_error_quotes_an_argument_as_it_is() {
        let mut accepted = BTreeSet::new();
        for (words, command) in commands(&Args::command(), &[]) {
            let flags = command.get_arguments().filter_map(|flag| flag.get_long());
            let flags = flags.map(|flag| format!("--{flag}"));
            for flag in flags.chain([String::new()]) {
                let given = match flag.as_str() {
                    "" => vec![HOSTILE.to_owned()],
                    _ => vec![format!("{flag}={HOSTILE}")],
                };
                match parsed(&[&words[..], &given].concat()) {
                    Ok(_) => drop(accepted.insert([&words[..], &[flag]].concat().join(" "))),
                    Err(error) => drop(is_harmless(&error.render())),
                }
            }
        }
        // Each of these is in the tests of whole commands: `tests/cli/hostile_text`.
        let tested = [
            "evidence --case",
            "evidence --from",
            "evidence --source",
            "explain --from",
            "explain --method",
            "explain --perfetto",
            "explain --save",
            "load-child ",
            "man ",
            "measure --hdr",
            "measure --method",
            "pace --way",
            "report ",
            "report-step ",
            "resolution who --from",
            "sleep --call",
            "sleep --save",
            "settle --save",
            "trace info ",
        ];
        let watch: &[_] = match cfg!(feature = "watch") {
            true => &[
                "watch --config",
                "watch --folder",
                "watch --method",
                "watch --textfile",
            ],
            false => &["watch "],
        };
        let fleet: &[_] = match cfg!(feature = "fleet") {
            // It needs more than one flag.
            true => &[],
            false => &["fleet "],
        };
        let tested = tested
            .iter()
            .chain(watch)
            .chain(fleet)
            .map(|&line| line.to_owned());
        assert_eq!(accepted, tested.collect());
    }

    #[test]
    fn the_errors_that_quote_show_what_was_given() {
        for words in [
            vec![HOSTILE],
            vec!["measure", HOSTILE],
            vec!["measure", "--period", HOSTILE],
            vec!["measure", "--on", HOSTILE],
            vec!["measure", "--load", HOSTILE],
            vec!["completions", HOSTILE],
        ] {
            let words: Vec<_> = words.into_iter().map(str::to_owned).collect();
            let text = is_harmless(&parsed(&words).unwrap_err().render());
            assert!(text.contains(SHOWN), "{words:?}: {text}");
        }
    }

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }
}
