//! The waits of languages and their runtimes, on simulated machines.
//!
//! A [`Persona`] says which calls of Windows a runtime makes, and when. Here they are made: each persona is a [`Waiter`], found
//! by its name and not listed. What is asked of a completion port is a wait for an event that is never set, and `select` is a
//! wait of its length in units of 100 ns: the same ends of waits, by the calls that machines have.
//!
//! Only simulated machines have personas. On a real Windows one would measure this program, not the
//! runtime.

mod program;
mod waits;

pub use punctual_windows::personas::{Persona, named, personas};

#[cfg(test)]
mod tests;

use crate::waiters::{Keeping, REMAINDER, Wait, Waiter, WaiterOptions};
use program::Program;
use punctual::os::windows::WindowsOs;
use punctual::{Error, Instant, Os};
use punctual_windows::os::windows::Win32Lab;
use std::time::Duration;

/// A runtime rounds lengths itself, so it is given them as they are.
const AS_ASKED: Duration = Duration::from_nanos(1);

/// The persona of this name, if there is one. One with a schedule of its own keeps its beat by that; the others wait for the
/// rest of the period.
pub fn waiter_named<W: Win32Lab>(name: &str) -> Option<Waiter<WindowsOs<W>>> {
    let persona = named(name).ok()?;
    let keeping = match persona.is_periodic() {
        true => Keeping::Itself,
        false => REMAINDER,
    };
    Some(Waiter {
        lengths: Some((AS_ASKED, |os, options| Ok(Box::new(program(os, options)?)))),
        ..Waiter::until(persona.id, persona.entry, for_deadlines).keeping(keeping)
    })
}

/// The program of the persona that was asked for by its name.
fn program<W: Win32Lab>(os: &WindowsOs<W>, options: WaiterOptions) -> Result<Program<W>, Error> {
    let persona = named(options.name).map_err(Error::invalid_input)?;
    Ok(Program::new(os, persona))
}

/// Its waits are tried here, because this function can return a reason.
fn for_deadlines<W: Win32Lab>(
    os: &WindowsOs<W>,
    options: WaiterOptions,
) -> Result<Box<dyn Wait>, Error> {
    let mut program = program(os, options)?;
    program.wait(options.period.to_duration())?;
    program.stop();
    program.keep(options.period.to_duration());
    Ok(Box::new(program))
}

impl<W: Win32Lab> Wait for Program<W> {
    fn begin_turn(&mut self) {
        // Its calls have succeeded when it was made.
        let _ = self.start();
    }

    fn wait_until(&mut self, deadline: Instant) -> Instant {
        let remaining = deadline.duration_since(self.os().now());
        let length = self.period().unwrap_or(remaining);
        if !length.is_zero() {
            let _ = self.wait(length);
        }
        self.os().now()
    }

    fn wait_for(&mut self, length: Duration) -> Result<(), Error> {
        self.wait(length)
    }

    fn end_turn(&mut self) {
        self.stop();
    }
}
