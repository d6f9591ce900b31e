//! A row on the Windows that this program runs on.

use super::{By, Problem, Row, measure};
use crate::children::{measure_in, start_companion};
use crate::conditions::Companion;
use crate::resolution::Held;
use punctual::Error;
use punctual::os::windows::WindowsOs;
use punctual_windows::os::windows::Win32Lab;
use std::path::Path;
use std::time::Duration;

/// The effect of a request while its requester holds it. `program` is the executable to start as
/// another process, which must handle [`CHILD_SUBCOMMAND`](crate::children::CHILD_SUBCOMMAND). That
/// process is the requester, or it is the child that measures while this process requests.
///
/// # Errors
/// If a process cannot be started or ends too early, or if the interval cannot be queried or
/// requested, or keeps changing.
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
            let other = Companion::requester(requested);
            let other = start_companion(&other, program, 0)?;
            let row = here(os.win32(), by, requested, samples);
            // If the requester ended early, it did not request for the whole time.
            other.check()?;
            row
        }
        By::Parent => {
            let _held = Held::ask(os, requested)?;
            measure_in(program, requested, samples)
        }
    }
}

/// What a child process measures while its parent requests.
pub(crate) fn on_behalf_of_a_child<W: Win32Lab>(
    win32: &W,
    requested: Duration,
    samples: u32,
) -> Result<Row, Error> {
    here(win32, By::Parent, requested, samples)
}

/// This process measures, and makes a request only if it is the requester.
fn here<W: Win32Lab>(win32: &W, by: By, requested: Duration, samples: u32) -> Result<Row, Error> {
    let measured = by.while_asking(win32, requested, || measure(win32, samples));
    let measured = measured.map_err(|problem: Problem| Error::system(problem.to_string()))?;
    Ok(Row::of(requested, &measured))
}
