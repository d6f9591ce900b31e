//! Personas as things that a machine offers.

use super::program::Program;
use crate::machine::{Call, CallOffer};
use punctual::Error;
use punctual::os::windows::{Win32Lab, WindowsOs};
use punctual_sim::personas::named;
use std::time::Duration;

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

impl<W: Win32Lab> Call for Program<W> {
    fn call(&mut self, duration: Duration) -> Result<(), Error> {
        self.wait(duration)
    }

    fn end(&mut self) {
        self.stop();
    }
}
