//! Standard output, as every command uses it.

use crate::failure::Failure;
use std::io::{self, Write};

/// Prints. A reader that has seen enough (`| head`) is no failure.
pub fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    match write(&mut anstream::stdout().lock()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::run(error)),
        _ => Ok(()),
    }
}
