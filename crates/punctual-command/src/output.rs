//! Standard output and files, for every command. Nothing else opens them.

mod file;

use crate::failure::Failure;
use crate::flags::FormatArgs;
use punctual_data::json;
use punctual_data::markdown::Page;
use punctual_data::table::Table;
use punctual_data::text::Text;
use punctual_lab::limits::with_limit;
use serde::Serialize;
use std::io::{self, BufWriter, Write};

pub use file::{ensure_empty_folder, ensure_writable, file, unwritten};

/// Prints text. If the reader closes the pipe early (`| head`), that is not a failure.
pub fn print(write: impl FnOnce(&mut Text) -> io::Result<()>) -> Result<(), Failure> {
    on_stdout(|out| write(&mut Text::on(out)))
}

/// Prints JSON.
pub fn json(value: &impl Serialize) -> Result<(), Failure> {
    on_stdout(|out| json::write(out, value))
}

/// Prints what this program alone has made, such as a script, as it is.
pub fn own(bytes: &[u8]) -> Result<(), Failure> {
    on_stdout(|out| out.write_all(bytes))
}

fn on_stdout(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    #[expect(clippy::disallowed_methods, reason = "the one door")]
    let stdout = anstream::stdout().lock();
    // A long JSON is made of millions of pieces.
    let mut out = BufWriter::new(stdout);
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if !is_closed_pipe(&error) => {
            let error = with_limit(&error);
            Err(Failure::run(format!("cannot write the output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints a result in the requested format: all of it as JSON, or what is made of it for people and programs.
pub fn in_format(
    format: FormatArgs,
    all: &impl Serialize,
    text: impl FnOnce(&mut Text) -> io::Result<()>,
    page: impl FnOnce() -> Page,
    sheet: impl FnOnce() -> Table,
) -> Result<(), Failure> {
    if format.json {
        return json(all);
    }
    print(|out| {
        if format.markdown {
            page().write(out)
        } else if format.csv {
            sheet().csv(out)
        } else {
            text(out)
        }
    })
}

/// Whether the reader has closed the pipe.
pub fn is_closed_pipe(error: &io::Error) -> bool {
    /// `ERROR_PIPE_NOT_CONNECTED`, for which the standard library has no kind. Other systems number
    /// their errors up to 133.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/debug/system-error-codes--0-499->
    /// <https://learn.microsoft.com/en-us/windows/win32/debug/system-error-codes--0-499->
    const NOT_CONNECTED: i32 = 233;
    error.kind() == io::ErrorKind::BrokenPipe || error.raw_os_error() == Some(NOT_CONNECTED)
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
