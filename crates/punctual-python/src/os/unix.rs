//! A pair of sockets, of which an event loop polls one.

use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;

/// Wakes an event loop that polls it, from a thread that does not have the interpreter's lock.
pub struct Doorbell {
    button: UnixStream,
    bell: UnixStream,
}

impl Doorbell {
    /// `None` on a system whose event loops poll no file descriptors.
    pub fn new() -> io::Result<Option<Self>> {
        let (button, bell) = UnixStream::pair()?;
        button.set_nonblocking(true)?;
        bell.set_nonblocking(true)?;
        Ok(Some(Self { button, bell }))
    }

    /// What the event loop polls.
    pub fn number(&self) -> i32 {
        self.bell.as_raw_fd()
    }

    /// Makes it readable. If it is full, it is readable already.
    pub fn ring(&self) {
        let _ = (&self.button).write(&[1]);
    }

    /// Empties it.
    pub fn hush(&self) {
        let mut bytes = [0; 64];
        while (&self.bell).read(&mut bytes).is_ok_and(|count| count > 0) {}
    }
}
