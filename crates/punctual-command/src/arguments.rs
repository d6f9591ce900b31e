//! From the words of a command line to arguments.

use crate::output::is_closed_pipe;
use clap::{ArgMatches, Command, Parser};
use punctual_data::escape;
use std::ffi::OsString;
use std::process::ExitCode;

/// Reads a command line. Help and version also come as errors.
pub fn parse<A: Parser>(words: &[OsString]) -> Result<A, clap::Error> {
    let matches = matches(&mut A::command(), words)?;
    A::from_arg_matches(&matches).map_err(|error| error.format(&mut A::command()))
}

/// What a command line says.
///
/// The parser's errors quote arguments as they are. So the error is made once more, of the arguments
/// as they are shown.
pub fn matches(command: &mut Command, words: &[OsString]) -> Result<ArgMatches, clap::Error> {
    command.try_get_matches_from_mut(words).map_err(|error| {
        let shown = words.iter().map(|word| escape::os(word));
        match command.try_get_matches_from_mut(shown) {
            Err(same) if same.kind() == error.kind() => same,
            // Wrong only as it is, such as text that is not UTF-8.
            _ => command.error(error.kind(), error.kind()),
        }
    })
}

/// Prints the parser's message instead of running anything. If help cannot be printed, the command
/// fails.
pub fn tell(instead: &clap::Error) -> ExitCode {
    let status = match instead.print() {
        Ok(()) => instead.exit_code(),
        Err(error) if is_closed_pipe(&error) => instead.exit_code(),
        Err(_) => instead.exit_code().max(1),
    };
    ExitCode::from(u8::try_from(status).unwrap_or(1))
}
