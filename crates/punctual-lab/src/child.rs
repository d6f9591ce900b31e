//! One process of a load or a companion: what the hidden subcommand does.

mod command;
mod cpu;
mod memory;
mod requester;
mod sleepers;
mod sweep;
mod switch;
mod timers;

use crate::children::{PROGRESS, Part, READY};
use crate::conditions::Load;
use crate::limits::with_limit;
use crate::os::process;
use punctual::Error;
use std::convert::Infallible;
use std::io::{self, Write};
use std::process::ExitCode;
use std::thread;

/// Does the work of one process, until standard input ends. `kind` is the argument of
/// [`CHILD_SUBCOMMAND`](crate::children::CHILD_SUBCOMMAND).
///
/// Returns only if the work cannot be done. It has printed the reason then.
pub fn run(kind: &str) -> ExitCode {
    let Err(error) = serve(kind);
    complain(&error.to_string());
    ExitCode::FAILURE
}

fn serve(kind: &str) -> Result<Infallible, Error> {
    match kind.parse()? {
        Part::Load(load) => serve_load(load),
        Part::Requester {
            interval,
            throttling,
        } => {
            end_with_starter(end_alone)?;
            requester::serve(interval, throttling)
        }
        Part::Sleepers { threads, number } => {
            end_with_starter(end_alone)?;
            sleepers::serve(threads, number)
        }
        Part::Sweep { requested, samples } => {
            end_with_starter(end_alone)?;
            sweep::serve(requested, samples)?;
            end_alone()
        }
    }
}

fn serve_load(load: Load) -> Result<Infallible, Error> {
    match load {
        Load::None => Err(Error::invalid_input("the load 'none' has no process")),
        Load::Cpu { .. } => {
            end_with_starter(end_alone)?;
            cpu::serve()
        }
        Load::Switch => {
            end_with_starter(end_alone)?;
            switch::serve()
        }
        Load::Memory => {
            end_with_starter(end_alone)?;
            memory::serve()
        }
        Load::Timers => {
            end_with_starter(end_alone)?;
            timers::serve()
        }
        Load::Command(command) => {
            lead_own_group()?;
            end_with_starter(process::end_own_group)?;
            command::serve(&command)
        }
    }
}

/// Whatever this process starts is in a group with it from now on. On Windows the group ends with this process.
///
/// # Errors
/// If the system has no such groups or makes none.
pub fn lead_own_group() -> Result<(), Error> {
    process::lead_own_group()
}

/// Ends this process when the pipe from the program that started it closes. The system also closes
/// it when that program ends or is killed.
fn end_with_starter(end: fn() -> !) -> Result<(), Error> {
    spawn("load-end", move || {
        // An error counts as an end: nobody could hear of it.
        let _ = io::copy(&mut io::stdin(), &mut io::sink());
        end()
    })
}

fn end_alone() -> ! {
    std::process::exit(0)
}

/// Tells the starter that the work has begun.
fn say_ready() -> Result<(), Error> {
    say(READY)
}

/// Tells the starter that a step towards it is done.
fn say_progress() -> Result<(), Error> {
    say(&[PROGRESS])
}

fn say(word: &[u8]) -> Result<(), Error> {
    let mut output = io::stdout();
    output
        .write_all(word)
        .and_then(|()| output.flush())
        .map_err(|error| {
            Error::system(format!(
                "cannot tell the program that started the load: {error}"
            ))
        })
}

/// Prints for the starter to read. Unlike `eprintln!`, it does not panic when the starter is gone.
/// A panic here would leave the command running.
fn complain(message: &str) {
    let _ = writeln!(io::stderr(), "{message}");
}

fn spawn(name: &str, body: impl FnOnce() + Send + 'static) -> Result<(), Error> {
    thread::Builder::new()
        .name(name.to_owned())
        .spawn(body)
        .map(drop)
        .map_err(|error| {
            let error = with_limit(&error);
            Error::system(format!("cannot start a thread of the load: {error}"))
        })
}
