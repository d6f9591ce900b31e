//! A row on the Windows that this program runs on.

use super::{By, Problem, Row, measure};
use crate::children::{measure_in, start_companion};
use crate::conditions::Companion;
use crate::resolution::Held;
use punctual::Error;
use punctual::os::windows::{Win32Lab, WindowsOs};
use std::path::Path;
use std::time::Duration;

/// What a request does while it is held by whoever is to make it. `program` is the executable to
/// start as another process, which must know
/// [`CHILD_SUBCOMMAND`](crate::children::CHILD_SUBCOMMAND): the one that asks, or the child that
/// measures on whose behalf this process asks.
///
/// # Errors
/// If a process cannot be started or ends before its time, or the interval cannot be queried or
/// asked for, or does not stay put.
pub fn native_row<W: Win32Lab>(
    os: &WindowsOs<W>,
    by: By,
    requested: Duration,
    samples: u32,
    program: &Path,
) -> Result<Row, Error> {
    match by {
        By::Own => here(os.win32(), by, requested, samples),
        By::Other => {
            let interval = requested;
            let other = Companion::Requester { interval };
            let other = start_companion(&other, program, 0)?;
            let row = here(os.win32(), by, requested, samples);
            // Who ended early did not ask all the time.
            other.check()?;
            row
        }
        By::Parent => {
            let _held = Held::ask(os, requested)?;
            measure_in(program, requested, samples)
        }
    }
}

/// What a child measures on whose behalf its parent asks.
pub(crate) fn on_behalf_of_a_child<W: Win32Lab>(
    win32: &W,
    requested: Duration,
    samples: u32,
) -> Result<Row, Error> {
    here(win32, By::Parent, requested, samples)
}

/// This process measures, and asks only if it is the one to ask.
fn here<W: Win32Lab>(win32: &W, by: By, requested: Duration, samples: u32) -> Result<Row, Error> {
    let measured = by.while_asking(win32, requested, || measure(win32, samples));
    let measured = measured.map_err(|problem: Problem| Error::system(problem.to_string()))?;
    Ok(Row::of(requested, &measured, None))
}
