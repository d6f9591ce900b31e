//! The one door for files that commands read: each has a length that nothing of its kind exceeds, so
//! that an endless one is refused and does not fill the memory.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

const MIB: u64 = 1 << 20;

/// A recording of a day at 1 kHz is some hundred kilobytes: it holds distributions, not waits.
pub const RECORDING: u64 = 256 * MIB;

/// A capture of our own stops at an eighth of that. What `xperf` writes as text can be longer.
pub const TRACE: u64 = 4096 * MIB;

/// A report of `powercfg /energy` is some hundred kilobytes.
pub const ENERGY_REPORT: u64 = 16 * MIB;

/// What is in a file, if that is not longer than it may be.
pub fn bytes(file: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = File::open(file)?.take(most + 1).read_to_end(&mut bytes)?;
    if read as u64 > most {
        let problem = format!(
            "it is longer than {} MiB, as nothing of its kind is",
            most / MIB
        );
        return Err(io::Error::other(problem));
    }
    Ok(bytes)
}

/// The same as text.
pub fn text(file: &Path, most: u64) -> io::Result<String> {
    String::from_utf8(bytes(file, most)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is no text in UTF-8"))
}
