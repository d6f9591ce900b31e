//! Reads the files that commands are given. Each kind has a maximum length, so an endless file is
//! refused and does not fill the memory.

use punctual_lab::limits::with_limit;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

const MIB: u64 = 1 << 20;

/// A recording of a day at 1 kHz has a few hundred kilobytes: it holds distributions, not waits.
pub const RECORDING: u64 = 256 * MIB;

/// What is read into memory as a whole: a log of Windows, or the text that `xperf` writes of one.
pub const TRACE: u64 = 4096 * MIB;

/// A report of `powercfg /energy` has a few hundred kilobytes.
pub const ENERGY_REPORT: u64 = 16 * MIB;

/// The contents of a file, unless it is longer than the limit.
pub fn bytes(file: &Path, most: u64) -> io::Result<Vec<u8>> {
    let open = open(file)?;
    let about = open.get_ref().metadata();
    if about.is_ok_and(|about| about.is_file() && about.len() > most) {
        return Err(too_long(most));
    }
    rest(open, most)
}

/// A file to be read little by little.
pub fn open(file: &Path) -> io::Result<BufReader<File>> {
    File::open(file).map(BufReader::new).map_err(told)
}

/// What a reader has, unless it is longer than the limit.
pub fn rest(open: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = open.take(most + 1).read_to_end(&mut bytes).map_err(told)?;
    if read as u64 > most {
        return Err(too_long(most));
    }
    Ok(bytes)
}

fn too_long(most: u64) -> io::Error {
    io::Error::other(format!(
        "it is longer than {} MiB, the limit for files of its kind",
        most / MIB
    ))
}

fn told(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), with_limit(&error))
}

/// The same as text.
pub fn text(file: &Path, most: u64) -> io::Result<String> {
    String::from_utf8(bytes(file, most)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not text in UTF-8"))
}
