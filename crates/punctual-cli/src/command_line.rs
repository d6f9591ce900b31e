//! The command line with every command. The flags of each command are in its own folder.

use crate::compare::CompareArgs;
use crate::doctor::DoctorArgs;
#[cfg(feature = "sim")]
use crate::emulate::RunArgs;
use crate::explain::ExplainArgs;
use crate::measure::MeasureArgs;
use crate::report::ReportArgs;
use crate::resolution::ResolutionArgs;
#[cfg(not(feature = "sim"))]
use crate::unsimulated::{Anything as RunArgs, Anything as WindowsArgs};
use crate::watch::WatchArgs;
#[cfg(feature = "sim")]
use crate::windows::WindowsArgs;
use clap::{Parser, Subcommand};
use punctual_command::completions::CompletionsArgs;

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

#[derive(Debug, Subcommand)]
pub enum Command {
    Measure(Box<MeasureArgs>),
    Compare(CompareArgs),
    Explain(Box<ExplainArgs>),
    #[cfg_attr(not(feature = "sim"), command(hide = true))]
    Run(Box<RunArgs>),
    #[cfg_attr(not(feature = "sim"), command(hide = true))]
    Windows(Box<WindowsArgs>),
    Resolution(Box<ResolutionArgs>),
    Report(ReportArgs),
    Doctor(DoctorArgs),
    Watch(WatchArgs),
    #[command(after_long_help = COMPLETIONS)]
    Completions(CompletionsArgs),
    #[command(hide = true)]
    LoadChild(LoadChildArgs),
}

const COMPLETIONS: &str = "\
Examples:
  punctual completions bash >~/.local/share/bash-completion/completions/punctual
  punctual completions zsh >~/.zfunc/_punctual
  punctual completions fish >~/.config/fish/completions/punctual.fish
  punctual completions powershell >>$PROFILE
  punctual completions man | man -l -
  punctual completions man ~/.local/share/man/man1";

/// The argument of a child process that is part of a load or a companion.
#[derive(Debug, clap::Args)]
pub struct LoadChildArgs {
    pub kind: String,
}

#[cfg(test)]
mod tests {
    #[cfg(feature = "sim")]
    mod shown;

    use super::*;
    use clap::builder::StyledStr;
    use clap::{CommandFactory, ValueEnum};
    use clap_complete::Shell;
    use clap_mangen::Man;
    use punctual_command::arguments::parse;
    use punctual_command::completions::{pages, script};
    use punctual_data::escape::is_plain;
    use std::collections::BTreeSet;
    use std::ffi::OsString;

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
        parse(&words.map(OsString::from).collect::<Vec<_>>())
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
            "explain --from",
            "explain --method",
            "explain --perfetto",
            "explain --save",
            "load-child ",
            "measure --hdr",
            "measure --method",
            "measure --save",
            "report ",
            "resolution who --from",
            "watch ",
        ];
        assert_eq!(accepted, tested.map(str::to_owned).into());
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

    #[test]
    fn every_shell_completes_every_command_that_is_shown() {
        for &shell in Shell::value_variants() {
            let script = String::from_utf8(script(shell, Args::command())).unwrap();
            for command in Args::command().get_subcommands() {
                let name = command.get_name();
                assert!(
                    command.is_hide_set() || script.contains(name),
                    "{shell}: {name}"
                );
            }
            assert!(script.contains("fail-if"), "{shell}");
        }
    }

    fn text(page: &Man) -> String {
        let mut text = Vec::new();
        page.render(&mut text).unwrap();
        String::from_utf8(text).unwrap().replace("\\-", "-")
    }

    #[test]
    fn the_first_page_names_every_command_that_is_shown_and_no_other() {
        let first = text(&pages(Args::command())[0]);
        for command in Args::command().get_subcommands() {
            let name = format!("punctual-{}(1)", command.get_name());
            assert_eq!(first.contains(&name), !command.is_hide_set(), "{name}");
        }
    }

    #[test]
    fn there_is_a_page_for_each_command_with_all_its_flags() {
        let pages = pages(Args::command());
        let page = |name: &str| {
            let found = pages.iter().find(|page| page.get_filename() == name);
            text(found.unwrap_or_else(|| panic!("no {name}")))
        };
        assert!(page("punctual-resolution-who.1").contains("--from"));
        for command in Args::command().get_subcommands() {
            // The watch is a program of its own, and makes its own.
            if command.is_hide_set() || command.get_name() == "watch" {
                continue;
            }
            let page = page(&format!("punctual-{}.1", command.get_name()));
            for flag in command.get_arguments().filter(|flag| !flag.is_hide_set()) {
                let Some(long) = flag.get_long() else {
                    continue;
                };
                assert!(page.contains(&format!("--{long}")), "{long}");
            }
        }
    }
}
