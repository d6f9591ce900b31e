//! Standard output and files, as every command writes them.

use crate::args::FormatArgs;
use crate::failure::Failure;
use crate::show::Show;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Prints. A reader that has seen enough (`| head`) is no failure.
pub fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    match write(&mut anstream::stdout().lock()) {
        Err(error) if !is_closed_pipe(&error) => Err(Failure::run(error)),
        _ => Ok(()),
    }
}

/// Prints what a command has found, in the form asked for.
pub fn show(format: FormatArgs, found: &impl Show) -> Result<(), Failure> {
    print(|out| {
        if format.json {
            serde_json::to_writer_pretty(&mut *out, found)?;
            writeln!(out)
        } else if format.markdown {
            found.page().write(out)
        } else if format.csv {
            found.sheet().csv(out)
        } else {
            found.text(out)
        }
    })
}

/// Whether nobody reads any more.
fn is_closed_pipe(error: &io::Error) -> bool {
    /// `ERROR_PIPE_NOT_CONNECTED`, for which the standard library has no kind. Other systems number
    /// their errors up to 133.
    /// <https://learn.microsoft.com/en-us/windows/win32/debug/system-error-codes--0-499->
    const NOT_CONNECTED: i32 = 233;
    error.kind() == io::ErrorKind::BrokenPipe || error.raw_os_error() == Some(NOT_CONNECTED)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_that_has_gone_is_no_failure_and_a_full_disk_is() {
        const NOT_CONNECTED: i32 = 233;
        for gone in [
            io::ErrorKind::BrokenPipe.into(),
            io::Error::from_raw_os_error(NOT_CONNECTED),
        ] {
            assert!(print(|_| Err(gone)).is_ok());
        }
        assert!(print(|_| Err(io::ErrorKind::StorageFull.into())).is_err());
    }
}
