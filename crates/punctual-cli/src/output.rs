//! Standard output and files, as every command writes them.

use crate::failure::Failure;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Prints. A reader that has seen enough (`| head`) is no failure.
pub fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    match write(&mut anstream::stdout().lock()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::run(error)),
        _ => Ok(()),
    }
}

/// Writes a file, beside its place first, so that there is never half of one.
pub fn file(
    file: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut beside = file.as_os_str().to_owned();
    beside.push(".part");
    let written = File::create(&beside).and_then(|open| {
        let mut out = BufWriter::new(open);
        write(&mut out)?;
        out.flush()
    });
    let moved = written.and_then(|()| fs::rename(&beside, file));
    moved.map_err(|error| {
        // What could not be written in full is worth nothing.
        let _ = fs::remove_file(&beside);
        Failure::run(format!("cannot write {}: {error}", file.display()))
    })
}

/// Refuses a file that could not be written in the end, before anything runs.
pub fn ensure_writable(flag: &str, file: &Path) -> Result<(), Failure> {
    let folder = match file.parent() {
        Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
        Some(folder) => folder,
        None => return Err(Failure::flag(flag, "it is no file")),
    };
    if file.is_dir() || !folder.is_dir() {
        let problem = format!(
            "{} cannot be a file: there is no folder {}, or it is one itself",
            file.display(),
            folder.display()
        );
        return Err(Failure::flag(flag, problem));
    }
    Ok(())
}
