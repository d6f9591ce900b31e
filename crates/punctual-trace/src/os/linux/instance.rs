//! One instance: a folder whose making makes buffers, and whose removal removes them.

use punctual::Error;
use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// An instance that lives as long as this.
#[derive(Debug)]
pub(super) struct Instance {
    path: PathBuf,
}

/// Followed by the number of the process that made it.
const PREFIX: &str = "punctual-";

impl Instance {
    pub(super) fn make(root: &Path) -> Result<Self, Error> {
        // One process may have several, one after the other or at once.
        let own = format!("{PREFIX}{}", std::process::id());
        let names = (0..).map(|number| match number {
            0 => own.clone(),
            number => format!("{own}-{number}"),
        });
        for name in names {
            let path = root.join("instances").join(name);
            match fs::create_dir(&path) {
                Ok(()) => {
                    let instance = Self { path };
                    instance.set("tracing_on", "0")?;
                    return Ok(instance);
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failed(&path, "make", &error)),
            }
        }
        unreachable!("numbers do not end")
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn set(&self, file: &str, value: &str) -> Result<(), Error> {
        write(&self.path.join(file), value)
    }

    pub(super) fn read(&self, file: &str) -> Result<String, Error> {
        let path = self.path.join(file);
        // Some files exist only for all instances together.
        let common = self.path.join("../..").join(file);
        let read = read_at_once(&path).or_else(|_| read_at_once(&common));
        read.map_err(|error| failed(&path, "read", &error))
    }

    /// Enables an event and returns its format; `None` if this kernel does not have it.
    pub(super) fn enable(&self, event: &str) -> Result<Option<String>, Error> {
        let folder = format!("events/{event}");
        if !self.path.join(&folder).exists() {
            return Ok(None);
        }
        self.set(&format!("{folder}/enable"), "1")?;
        self.read(&format!("{folder}/format")).map(Some)
    }

    /// The size of a page. Kernels that can have another say which.
    pub(super) fn page_bytes(&self) -> usize {
        const USUAL: usize = 4096;
        let kib = self.read("buffer_subbuf_size_kb").ok();
        let kib: Option<usize> = kib.and_then(|text| text.trim().parse().ok());
        kib.map_or(USUAL, |kib| kib * 1024)
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // Nothing better can be done if it fails: the next capture tries again.
        let _ = self.set("tracing_on", "0");
        let _ = fs::remove_dir(&self.path);
    }
}

/// Removes the instances of processes that have ended. Those of living ones are in use, and the
/// kernel would refuse.
pub(super) fn remove_left_behind(root: &Path) {
    let Ok(instances) = fs::read_dir(root.join("instances")) else {
        return;
    };
    for instance in instances.flatten() {
        if maker(&instance.file_name().to_string_lossy()).is_some_and(|id| !lives(id)) {
            // A number that another process has by now, or a folder in use: it stays.
            let _ = fs::remove_dir(instance.path());
        }
    }
}

/// The process that made an instance of this name, if it is one of ours.
pub(super) fn maker(name: &str) -> Option<u32> {
    name.strip_prefix(PREFIX)?.split('-').next()?.parse().ok()
}

pub(super) fn lives(process: u32) -> bool {
    Path::new("/proc").join(process.to_string()).exists()
}

/// Reads a file with one call as far as it goes. `header_page` has nothing more to say to a second
/// one, and the standard library begins with a call for 32 bytes.
fn read_at_once(file: &Path) -> io::Result<String> {
    /// More than any such file has: a page, as the kernel prints into one.
    const MOST_BYTES: usize = 65_536;
    let mut file = fs::File::open(file)?;
    let (mut bytes, mut length) = (vec![0; MOST_BYTES], 0);
    loop {
        match file.read(&mut bytes[length..])? {
            0 => break,
            more => length += more,
        }
    }
    bytes.truncate(length);
    String::from_utf8(bytes).map_err(io::Error::other)
}

/// In one call, as tracefs wants it, and into a file that exists.
pub(super) fn write(file: &Path, value: &str) -> Result<(), Error> {
    let open = fs::OpenOptions::new().write(true).open(file);
    let written = open.and_then(|mut open| open.write_all(value.as_bytes()));
    written.map_err(|error| failed(file, "write", &error))
}

pub(super) fn failed(file: &Path, verb: &str, error: &io::Error) -> Error {
    let message = format!("cannot {verb} {}: {error}", file.display());
    match error.kind() {
        ErrorKind::PermissionDenied => Error::not_permitted(message + " (run this as root)"),
        _ => Error::system(message),
    }
}
