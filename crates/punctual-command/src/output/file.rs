//! The files of commands, with their flags, and with signals that come meanwhile.

use crate::failure::Failure;
use crate::stop::{SignalGuard, Stop};
use punctual_data::escape;
use punctual_data::file::{self, Growing, Place};
use punctual_lab::limits::with_limit;
use std::io::{self, Write};
use std::path::Path;

/// A file's name, and its flag.
pub type Named<'a> = (&'a str, &'a Path);

/// Writes a file. The old file is replaced as a whole, and its permissions are kept. After an error,
/// or a signal while it is written, the old file is unchanged. A pipe or device is written into.
pub fn file(
    stop: &Stop,
    name: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let told = |error| unwritten(name, &error);
    let place = Place::of(name).map_err(told)?;
    // An earlier signal ended a measurement whose results are written here.
    let was_stopped = stop.is_asked_for();
    // A pipe may never be read, so a signal that comes meanwhile ends the process.
    let guard = matches!(place, Place::File(_)).then(|| stop.guard());
    let is_stopped = || guard.is_some() && !was_stopped && stop.is_asked_for();
    let written = Growing::begin(place).and_then(|mut out| {
        write(&mut Stoppable(&mut out, &is_stopped))?;
        out.complete()
    });
    written.map_err(told)?;
    // One that came when the file was written ends the command all the same.
    match guard.is_some_and(SignalGuard::end) && !was_stopped {
        true => Err(Failure::Stopped),
        false => Ok(()),
    }
}

/// A file that cannot be written, and why.
pub fn unwritten(name: &Path, error: &io::Error) -> Failure {
    let (name, error) = (escape::path(name), with_limit(error));
    Failure::run(format!("cannot write {name}: {error}"))
}

/// A file that is being written until a signal comes.
struct Stoppable<'a>(&'a mut Growing, &'a dyn Fn() -> bool);

impl Write for Stoppable<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match (self.1)() {
            true => Err(io::Error::other("stopped by a signal")),
            false => self.0.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Refuses files that could not be written at the end, before anything runs: places that cannot be
/// written to, a file that is also an input, and two outputs in one file.
pub fn ensure_writable(
    stop: &Stop,
    outputs: &[Named<'_>],
    inputs: &[Named<'_>],
) -> Result<(), Failure> {
    let guard = stop.guard();
    for (number, &(flag, name)) in outputs.iter().enumerate() {
        let place = Place::of(name).and_then(|place| place.try_out().map(|()| place));
        let place = place.map_err(|error| refused((flag, name), &error))?;
        let is_it = |(_, other): &&Named<'_>| place.is_same_file(other);
        if let Some((other, _)) = inputs.iter().find(is_it) {
            let problem = format!("it is also given with {other}, and would be replaced");
            return Err(Failure::flag(flag, problem));
        }
        if let Some((other, _)) = outputs[..number].iter().find(is_it) {
            let problem = format!("{other} writes into the same file; give each its own file");
            return Err(Failure::flag(flag, problem));
        }
    }
    match guard.end() {
        true => Err(Failure::Stopped),
        false => Ok(()),
    }
}

/// Refuses a folder that has files, and makes one that is not there.
pub fn ensure_empty_folder(named: Named<'_>) -> Result<(), Failure> {
    file::ensure_empty_folder(named.1).map_err(|error| refused(named, &error))
}

fn refused((flag, name): Named<'_>, error: &io::Error) -> Failure {
    Failure::flag(
        flag,
        format!("{}: {}", escape::path(name), with_limit(error)),
    )
}

#[cfg(test)]
mod tests;
