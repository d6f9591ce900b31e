//! Two threads that wake each other all the time: nothing but context switches.

use super::{say_ready, spawn};
use punctual::Error;
use std::convert::Infallible;
use std::io::{self, PipeReader, PipeWriter, Read, Write};

/// Uses pipes, because a read or write of a pipe always enters the kernel. Channels and condition
/// variables spin first, and then do not switch.
pub(super) fn serve() -> Result<Infallible, Error> {
    let (hears_ping, sends_ping) = io::pipe().map_err(|error| broken(&error))?;
    let (hears_pong, mut sends_pong) = io::pipe().map_err(|error| broken(&error))?;
    spawn("load-switch", move || {
        // A pipe breaks only if the other thread has failed, which ends the process.
        let _ = echo(hears_ping, &mut sends_pong);
    })?;
    say_ready()?;
    ping(sends_ping, hears_pong).map_err(|error| broken(&error))
}

fn ping(mut sends: PipeWriter, mut hears: PipeReader) -> io::Result<Infallible> {
    let mut ball = [0; 1];
    loop {
        sends.write_all(&ball)?;
        hears.read_exact(&mut ball)?;
    }
}

fn echo(mut hears: PipeReader, sends: &mut PipeWriter) -> io::Result<Infallible> {
    let mut ball = [0; 1];
    loop {
        hears.read_exact(&mut ball)?;
        sends.write_all(&ball)?;
    }
}

fn broken(error: &io::Error) -> Error {
    Error::system(format!("the load's pipe failed: {error}"))
}
