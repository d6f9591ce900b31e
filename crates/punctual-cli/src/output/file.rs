//! Writes the files of commands: a file is written as a whole or not at all, and no other file is
//! touched.

use crate::escape;
use crate::failure::Failure;
use crate::interrupt::Stop;
use punctual_lab::limits::with_limit;
use same_file::is_same_file;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// A file's name, and its flag.
pub type Named<'a> = (&'a str, &'a Path);

/// The most links in a chain that Linux follows.
const MOST_LINKS: usize = 40;

/// The target of a name.
enum Place {
    /// A file, or the place for one, with links followed. Writing replaces it.
    File(PathBuf),
    /// A terminal, a pipe or a device. Writing goes into it.
    Stream(PathBuf),
}

impl Place {
    fn of(name: &Path) -> io::Result<Self> {
        match fs::metadata(name) {
            Ok(found) if found.is_dir() => return Err(io::Error::other("it is a folder")),
            // The target of a link such as /dev/stdout may have no name of its own.
            Ok(found) if !found.is_file() => return Ok(Self::Stream(name.to_owned())),
            _ => {}
        }
        let mut place = name.to_owned();
        for _ in 0..MOST_LINKS {
            match fs::read_link(&place) {
                Ok(target) => place = folder_of(&place).join(target),
                Err(_) => return Ok(Self::File(place)),
            }
        }
        Err(io::Error::other("it is a link that leads back to itself"))
    }
}

/// Writes a file. The old file is replaced as a whole, and its permissions are kept. After an error,
/// or a signal while it is written, the old file is unchanged. A pipe or device is written into.
pub fn file(
    stop: &Stop,
    name: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    match Place::of(name) {
        Ok(Place::File(place)) => {
            // An earlier signal ended a measurement whose results are written here.
            let was_stopped = stop.is_asked_for();
            let heeding = stop.heed();
            let is_stopped = || !was_stopped && stop.is_asked_for();
            told(name, replace(&is_stopped, &place, write))?;
            // One that came when the file was written ends the command all the same.
            match heeding.end() && !was_stopped {
                true => Err(Failure::Stopped),
                false => Ok(()),
            }
        }
        Ok(Place::Stream(place)) => told(name, into_stream(&place, write)),
        Err(error) => told(name, Err(error)),
    }
}

fn told(name: &Path, written: io::Result<()>) -> Result<(), Failure> {
    written.map_err(|error| unwritten(name, &error))
}

/// A file that cannot be written, and why.
pub fn unwritten(name: &Path, error: &io::Error) -> Failure {
    let (name, error) = (escape::path(name), with_limit(error));
    Failure::run(format!("cannot write {name}: {error}"))
}

/// A file that is written while its contents come. The old file is replaced when it is complete, and is
/// unchanged if it never is. A pipe or device is written into.
pub struct Growing {
    name: PathBuf,
    out: BufWriter<Grows>,
}

enum Grows {
    /// A file of its own, and what it will replace.
    Beside(NamedTempFile, PathBuf),
    Stream(File),
}

impl Growing {
    /// Begins an empty file.
    pub fn begin(name: &Path) -> Result<Self, Failure> {
        let begun = Place::of(name).and_then(|place| match place {
            Place::File(place) => {
                let beside = beside(&place)?;
                if let Ok(found) = fs::metadata(&place) {
                    beside.as_file().set_permissions(found.permissions())?;
                }
                Ok(Grows::Beside(beside, place))
            }
            Place::Stream(place) => OpenOptions::new()
                .write(true)
                .open(place)
                .map(Grows::Stream),
        });
        Ok(Self {
            name: name.to_owned(),
            out: BufWriter::new(begun.map_err(|error| unwritten(name, &error))?),
        })
    }

    /// Puts the complete file in its place.
    pub fn complete(self) -> Result<(), Failure> {
        let Self { name, out } = self;
        let put = |grown| match grown {
            Grows::Beside(beside, place) => {
                beside.as_file().sync_all()?;
                beside.persist(place)?;
                Ok(())
            }
            Grows::Stream(_) => Ok(()),
        };
        let flushed = out.into_inner().map_err(io::IntoInnerError::into_error);
        let put = flushed.and_then(put);
        put.map_err(|error| unwritten(&name, &error))
    }
}

impl Write for Growing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Write for Grows {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Beside(beside, _) => beside.write(bytes),
            Self::Stream(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Beside(beside, _) => beside.flush(),
            Self::Stream(stream) => stream.flush(),
        }
    }
}

fn replace(
    is_stopped: &dyn Fn() -> bool,
    place: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let beside = beside(place)?;
    if let Ok(found) = fs::metadata(place) {
        beside.as_file().set_permissions(found.permissions())?;
    }
    let mut out = BufWriter::new(Stoppable(beside.as_file(), is_stopped));
    write(&mut out)?;
    out.flush()?;
    drop(out);
    // Without this, a crash of the machine could leave an empty file in the place of a complete
    // one.
    beside.as_file().sync_all()?;
    beside.persist(place)?;
    Ok(())
}

/// A file that is being written until a signal comes.
struct Stoppable<'a>(&'a File, &'a dyn Fn() -> bool);

impl Write for Stoppable<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match (self.1)() {
            true => Err(stopped()),
            false => self.0.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

fn stopped() -> io::Error {
    io::Error::other("stopped by a signal")
}

fn into_stream(
    place: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::new(OpenOptions::new().write(true).open(place)?);
    write(&mut out)?;
    out.flush()
}

/// A new file in the same folder, with an unpredictable name and the usual permissions of new
/// files. It is removed unless it becomes the file itself.
fn beside(place: &Path) -> io::Result<NamedTempFile> {
    let open = |name: &Path| OpenOptions::new().write(true).create_new(true).open(name);
    Builder::new()
        .prefix(".punctual-")
        .make_in(folder_of(place), open)
}

fn folder_of(place: &Path) -> &Path {
    match place.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Refuses files that could not be written at the end, before anything runs: places that cannot be
/// written to, a file that is also an input, and two outputs in one file.
pub fn ensure_writable(
    stop: &Stop,
    outputs: &[Named<'_>],
    inputs: &[Named<'_>],
) -> Result<(), Failure> {
    let heeding = stop.heed();
    for (number, &(flag, name)) in outputs.iter().enumerate() {
        let refused = |error| Failure::flag(flag, format!("{}: {error}", escape::path(name)));
        let Place::File(place) = Place::of(name).map_err(refused)? else {
            continue;
        };
        try_out(&place).map_err(refused)?;
        let is_it = |other: &Path| match Place::of(other) {
            Ok(Place::File(other)) => {
                other == place || is_same_file(&other, &place).unwrap_or(false)
            }
            _ => false,
        };
        if let Some((other, _)) = inputs.iter().find(|(_, input)| is_it(input)) {
            let problem = format!("it is also given with {other}, and would be replaced");
            return Err(Failure::flag(flag, problem));
        }
        if let Some((other, _)) = outputs[..number].iter().find(|(_, output)| is_it(output)) {
            let problem = format!("{other} writes into the same file; give each its own file");
            return Err(Failure::flag(flag, problem));
        }
    }
    match heeding.end() {
        true => Err(Failure::Stopped),
        false => Ok(()),
    }
}

/// Refuses a folder that has files, and makes one that is not there.
pub fn ensure_empty_folder((flag, name): Named<'_>) -> Result<(), Failure> {
    let refused = |problem: &str| {
        Err(Failure::flag(
            flag,
            format!("{}: {problem}", escape::path(name)),
        ))
    };
    match fs::read_dir(name).map(|entries| entries.count()) {
        Ok(0) => {}
        Ok(_) => return refused("the folder is not empty; name a new one"),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if let Err(error) = fs::create_dir(name) {
                return refused(&with_limit(&error).to_string());
            }
        }
        Err(error) => return refused(&with_limit(&error).to_string()),
    }
    match beside(&name.join("file")) {
        Ok(_) => Ok(()),
        Err(error) => refused(&with_limit(&error).to_string()),
    }
}

/// Removes a file that this command has written.
pub fn remove(name: &Path) -> io::Result<()> {
    fs::remove_file(name)
}

/// Checks that a file can be written here. Leaves nothing behind.
fn try_out(place: &Path) -> io::Result<()> {
    let folder = folder_of(place);
    if !folder.is_dir() {
        let problem = format!("there is no folder {}", escape::path(folder));
        return Err(io::Error::other(problem));
    }
    if place.exists() {
        // A user who may not write to a file might still be able to replace it, but should not.
        OpenOptions::new().append(true).open(place)?;
    }
    beside(place).map(drop)
}

#[cfg(test)]
mod tests;
