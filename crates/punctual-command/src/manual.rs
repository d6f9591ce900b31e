//! Manual pages: one for a command, and one for each below it.

use crate::failure::Failure;
use crate::output;
use crate::stop::Stop;
use clap::Command;
use clap_mangen::Man;
use std::path::PathBuf;
use std::process::ExitCode;

/// Print the manual page, or write those of all commands into a folder.
#[derive(Debug, clap::Args)]
pub struct ManArgs {
    /// The folder to write the pages of all commands into; it must exist
    pub folder: Option<PathBuf>,
}

/// The source that every page names.
const SOURCE: &str = concat!("punctual ", env!("CARGO_PKG_VERSION"));

/// Prints the page of a command, or writes all.
pub fn write(args: &ManArgs, command: Command, stop: &Stop) -> Result<ExitCode, Failure> {
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
