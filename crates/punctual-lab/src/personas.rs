//! The waits of languages and their runtimes, on simulated machines.
//!
//! A [`Persona`] says which calls of Windows a runtime makes, and when. Here they are made: each
//! persona is a [`Call`], a [`Method`] and a
//! [`Way`], found by its name and not listed. What is asked of a
//! completion port is a wait for an event that is never set, and `select` is a wait of its length in
//! units of 100 ns: the same ends of waits, by the calls that machines have.
//!
//! Only simulated machines have personas. On a real Windows one would measure this program, not the
//! runtime.

mod program;
mod waits;

pub use punctual_windows::personas::{Persona, named, personas};

#[cfg(test)]
mod tests;

use crate::machine::{Call, CallOffer, Keeping, Method, Offer, Way, Wishes};
use program::Program;
use punctual::os::windows::WindowsOs;
use punctual::{Error, Instant, Os};
use punctual_windows::os::windows::Win32Lab;
use std::time::Duration;

// Personas as things that a machine offers.

/// A runtime rounds lengths itself, so it is given them as they are.
const AS_ASKED: Duration = Duration::from_nanos(1);

/// The persona of this name as a call, if there is one.
pub fn call_named<W: Win32Lab>(name: &str) -> Option<CallOffer<WindowsOs<W>>> {
    let persona = named(name).ok()?;
    Some(CallOffer {
        name: persona.id,
        summary: persona.entry,
        unit: AS_ASKED,
        make: Box::new(move |os| Ok(Box::new(Program::new(os, persona.clone())))),
    })
}

/// The persona of this name as a way of waiting, if there is one.
pub fn method_named<W: Win32Lab>(name: &str) -> Option<Offer<WindowsOs<W>>> {
    let persona = named(name).ok()?;
    Some(Offer {
        name: persona.id,
        summary: persona.entry,
        slack_applies: false,
        make,
    })
}

/// The persona of this name as a way to keep a beat, if there is one. One with a schedule of its own
/// keeps that; the others wait for the rest of the period.
pub fn way_named<W: Win32Lab>(name: &str) -> Option<Way<WindowsOs<W>>> {
    let persona = named(name).ok()?;
    let keeping = match persona.is_periodic() {
        true => Keeping::Itself,
        false => Keeping::Remainder {
            early: Duration::ZERO,
        },
    };
    Some(Way {
        name: persona.id,
        summary: persona.entry,
        keeping,
        make,
    })
}

/// Makes the persona that was asked for by its name.
fn make<W: Win32Lab>(os: &WindowsOs<W>, wishes: Wishes) -> Result<Box<dyn Method>, Error> {
    let persona = named(wishes.name).map_err(Error::invalid_input)?;
    let period = persona.is_periodic().then(|| wishes.period.to_duration());
    let mut program = Program::new(os, persona);
    // It is tried here, because this function can return a reason.
    program.wait(wishes.period.to_duration())?;
    program.stop();
    Ok(Box::new(Waiting {
        os: os.clone(),
        program,
        period,
    }))
}

/// A persona that waits for deadlines.
struct Waiting<W: Win32Lab> {
    os: WindowsOs<W>,
    program: Program<W>,
    /// Of a persona with a schedule of its own.
    period: Option<Duration>,
}

impl<W: Win32Lab> Method for Waiting<W> {
    fn begin_turn(&mut self) {
        // Its calls have succeeded when it was made.
        let _ = self.program.start();
    }

    fn wait_until(&mut self, deadline: Instant) -> Instant {
        let remaining = deadline.duration_since(self.os.now());
        let length = self.period.unwrap_or(remaining);
        if !length.is_zero() {
            let _ = self.program.wait(length);
        }
        self.os.now()
    }

    fn end_turn(&mut self) {
        self.program.stop();
    }
}

impl<W: Win32Lab> Call for Program<W> {
    fn call(&mut self, duration: Duration) -> Result<(), Error> {
        self.wait(duration)
    }

    fn end(&mut self) {
        self.stop();
    }
}
