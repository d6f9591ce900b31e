//! Event loops that poll no file descriptors.

use std::io;

/// There is none: the event loop is woken by a call that needs the interpreter's lock.
pub enum Doorbell {}

impl Doorbell {
    /// `None` on a system whose event loops poll no file descriptors.
    pub fn new() -> io::Result<Option<Self>> {
        Ok(None)
    }

    /// What the event loop polls.
    pub fn number(&self) -> i32 {
        match *self {}
    }

    /// Makes it readable.
    pub fn ring(&self) {
        match *self {}
    }

    /// Empties it.
    pub fn hush(&self) {
        match *self {}
    }
}
