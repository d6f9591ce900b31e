//! `punctual man`: the manual pages, one for each command.

use crate::failure::Failure;
use crate::interrupt::Stop;
use crate::output;
use clap::Command;
use clap_mangen::Man;
use std::path::PathBuf;
use std::process::ExitCode;

/// Print the manual page, or write those of all commands into a folder.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct ManArgs {
    /// The folder to write the pages of all commands into; it must exist
    pub folder: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  punctual man | man -l -
  punctual man ~/.local/share/man/man1";

/// The source that every page names.
const SOURCE: &str = concat!("punctual ", env!("CARGO_PKG_VERSION"));

/// Runs the command.
pub fn man(args: &ManArgs, command: Command, stop: &Stop) -> Result<ExitCode, Failure> {
    let pages = pages(command);
    if let Some(folder) = &args.folder {
        for page in &pages {
            let name = folder.join(page.get_filename());
            output::file(stop, &name, |mut out| page.render(&mut out))?;
        }
    } else {
        let mut page = Vec::new();
        pages[0].render(&mut page).map_err(Failure::run)?;
        output::own(&page)?;
    }
    Ok(stop.status())
}

/// The page of the command itself, and then those of its subcommands.
fn pages(command: Command) -> Vec<Man> {
    let mut command = command.disable_help_subcommand(true);
    // Gives every command its full name, such as `punctual-resolution-sweep`.
    command.build();
    let mut pages = Vec::new();
    add(command, &mut pages);
    pages
}

fn add(command: Command, pages: &mut Vec<Man>) {
    let shown = command
        .get_subcommands()
        .filter(|below| !below.is_hide_set());
    let below: Vec<_> = shown.cloned().collect();
    pages.push(Man::new(command).source(SOURCE));
    for command in below {
        add(command, pages);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_line::Args;
    use clap::CommandFactory;

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
        assert!(page("punctual-resolution-sweep.1").contains("--step"));
        for command in Args::command().get_subcommands() {
            if command.is_hide_set() {
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
