//! Files that are written as a whole or not at all. No other file is touched.

use crate::escape;
use same_file::is_same_file;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// How the names of files begin that are not yet whole. What a killed process leaves has such a name.
const UNFINISHED: &str = ".punctual-";

/// How they end if a service writes them, which removes what an earlier run left.
const OF_A_SERVICE: &str = ".new";

/// The most links in a chain that Linux follows.
const MOST_LINKS: usize = 40;

/// The target of a name.
#[derive(Debug, Clone)]
pub enum Place {
    /// A file, or the place for one, with links followed. Writing replaces it.
    File(PathBuf),
    /// A terminal, a pipe or a device. Writing goes into it.
    Stream(PathBuf),
}

impl Place {
    /// What a name leads to.
    ///
    /// # Errors
    /// If it is a folder, or a link that leads back to itself.
    pub fn of(name: &Path) -> io::Result<Self> {
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

    /// Whether writing into the one would replace the other.
    pub fn is_same_file(&self, other: &Path) -> bool {
        match (self, Self::of(other)) {
            (Self::File(place), Ok(Self::File(other))) => {
                other == *place || is_same_file(&other, place).unwrap_or(false)
            }
            _ => false,
        }
    }

    /// Checks that a file can be written here. Leaves nothing behind.
    ///
    /// # Errors
    /// If there is no such folder, or no file can be made or replaced there.
    pub fn try_out(&self) -> io::Result<()> {
        let Self::File(place) = self else {
            return Ok(());
        };
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
}

/// A file that is written while its contents come. The old file is replaced when it is complete, and is
/// unchanged if it never is. A pipe or device is written into.
#[derive(Debug)]
pub struct Growing(BufWriter<Target>);

#[derive(Debug)]
enum Target {
    /// A file of its own, and what it will replace.
    Beside(NamedTempFile, PathBuf),
    Stream(File),
}

impl Growing {
    /// Begins an empty file. It will have the permissions of the old file, or the usual ones.
    ///
    /// # Errors
    /// If no file can be made beside the old one, or the device cannot be opened.
    pub fn begin(place: Place) -> io::Result<Self> {
        let target = match place {
            Place::File(place) => {
                let beside = beside(&place)?;
                if let Ok(found) = fs::metadata(&place) {
                    beside.as_file().set_permissions(found.permissions())?;
                }
                Target::Beside(beside, place)
            }
            Place::Stream(place) => Target::Stream(OpenOptions::new().write(true).open(place)?),
        };
        Ok(Self(BufWriter::new(target)))
    }

    /// Puts the complete file in its place.
    ///
    /// # Errors
    /// If the rest cannot be written. The old file is unchanged.
    pub fn complete(self) -> io::Result<()> {
        let target = self
            .0
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        if let Target::Beside(beside, place) = target {
            // Without this, a crash of the machine could leave an empty file in the place of a
            // complete one, and a full disk might say so too late.
            beside.as_file().sync_all()?;
            beside.persist(place)?;
        }
        Ok(())
    }
}

impl Write for Growing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            // Its own `write` would hide the system's error behind a path that nothing gave.
            Self::Beside(beside, _) => beside.as_file().write(bytes),
            Self::Stream(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Beside(beside, _) => beside.as_file().flush(),
            Self::Stream(stream) => stream.flush(),
        }
    }
}

/// Replaces a file of a service. Only this user can read it, unless `finish`, which is called before it takes the old
/// one's place, says otherwise.
///
/// # Errors
/// What the system says. The file is then what it was before.
pub fn replace(
    file: &Path,
    bytes: &[u8],
    finish: impl FnOnce(&File) -> io::Result<()>,
) -> io::Result<()> {
    let beside = Builder::new()
        .prefix(UNFINISHED)
        .suffix(OF_A_SERVICE)
        .tempfile_in(folder_of(file))?;
    beside.as_file().write_all(bytes)?;
    finish(beside.as_file())?;
    beside.persist(file)?;
    Ok(())
}

/// Removes what a killed service has left half written in its folder. If that fails, it stays: nothing reads it.
pub fn tidy(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_left = |name: &str| name.starts_with(UNFINISHED) && name.ends_with(OF_A_SERVICE);
        if name.to_str().is_some_and(is_left) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Makes sure that a folder is there, is empty, and can be written into.
///
/// # Errors
/// If it is not, with what is wrong.
pub fn ensure_empty_folder(folder: &Path) -> io::Result<()> {
    match fs::read_dir(folder).map(Iterator::count) {
        Ok(0) => {}
        Ok(_) => return Err(io::Error::other("the folder is not empty; name a new one")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => fs::create_dir(folder)?,
        Err(error) => return Err(error),
    }
    beside(&folder.join("file")).map(drop)
}

/// A new file in the same folder, with an unpredictable name and the usual permissions of new
/// files. It is removed unless it becomes the file itself.
fn beside(place: &Path) -> io::Result<NamedTempFile> {
    let open = |name: &Path| OpenOptions::new().write(true).create_new(true).open(name);
    Builder::new()
        .prefix(UNFINISHED)
        .make_in(folder_of(place), open)
}

fn folder_of(place: &Path) -> &Path {
    match place.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests;
