//! Scripts with which shells complete a command line, and manual pages: one for a command, and one for each below it.

use crate::failure::Failure;
use crate::output;
use crate::stop::Stop;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Command, ValueEnum};
use clap_complete::Shell;
use clap_mangen::Man;
use std::path::PathBuf;
use std::process::ExitCode;

/// Print a script that completes the command line in a shell, or the manual.
///
/// Put a script where the shell looks for such scripts, as the examples do.
#[derive(Debug, clap::Args)]
pub struct CompletionsArgs {
    /// The shell that is to complete, or man for the manual page
    #[arg(value_name = "SHELL", value_parser = printed())]
    printed: Printed,

    /// With man: write the pages of all commands into this folder, which must exist
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy)]
enum Printed {
    Script(Shell),
    Manual,
}

/// The shells' names, and what stands for the manual.
fn printed() -> impl TypedValueParser<Value = Printed> {
    let shells = Shell::value_variants()
        .iter()
        .filter_map(Shell::to_possible_value);
    PossibleValuesParser::new(shells.chain([PossibleValue::new("man")])).map(|name| {
        let shell = name.parse::<Shell>();
        shell.map_or(Printed::Manual, Printed::Script)
    })
}

/// The source that every page names.
const SOURCE: &str = concat!("punctual ", env!("CARGO_PKG_VERSION"));

/// Prints or writes what is asked for of a command.
pub fn print(args: &CompletionsArgs, command: Command, stop: &Stop) -> Result<ExitCode, Failure> {
    match (args.printed, &args.folder) {
        (Printed::Script(shell), None) => output::own(&script(shell, command))?,
        (Printed::Script(_), Some(_)) => {
            let problem = "a script is printed; leave the folder away, or write man before it";
            return Err(Failure::flag("[FOLDER]", problem));
        }
        (Printed::Manual, None) => {
            let mut page = Vec::new();
            pages(command)[0].render(&mut page).map_err(Failure::run)?;
            output::own(&page)?;
        }
        (Printed::Manual, Some(folder)) => {
            for page in pages(command) {
                let name = folder.join(page.get_filename());
                output::file(stop, &name, |mut out| page.render(&mut out))?;
            }
        }
    }
    Ok(stop.status())
}

/// The script for a command.
pub fn script(shell: Shell, mut command: Command) -> Vec<u8> {
    let (name, mut script) = (command.get_name().to_owned(), Vec::new());
    clap_complete::generate(shell, &mut command, name, &mut script);
    script
}

/// The page of a command itself, and then those of its subcommands.
pub fn pages(command: Command) -> Vec<Man> {
    let mut command = command.disable_help_subcommand(true);
    // Gives every command its full name, such as `punctual-resolution-sweep`.
    command.build();
    let mut pages = Vec::new();
    add(command, &mut pages);
    pages
}

fn add(command: Command, pages: &mut Vec<Man>) {
    // What has no help here is a program of its own, and has a page of its own.
    let has_page = |below: &&Command| !below.is_hide_set() && !below.is_disable_help_flag_set();
    let below: Vec<_> = command
        .get_subcommands()
        .filter(has_page)
        .cloned()
        .collect();
    pages.push(Man::new(command).source(SOURCE));
    for command in below {
        add(command, pages);
    }
}
