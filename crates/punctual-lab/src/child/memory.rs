//! Streams through memory: this empties caches and keeps the memory bus busy.

use super::say_ready;
use punctual::Error;
use std::convert::Infallible;
use std::hint::black_box;

/// More than the last-level cache of nearly every machine: 8 to 64 MB are common, and one group of
/// cores shares 256 MB at most. Small enough for a machine with one gigabyte.
const BUFFER_BYTES: usize = 256 << 20;

pub(super) fn serve() -> Result<Infallible, Error> {
    // Ones: the system does not allocate pages of zeros until they are written.
    let mut buffer = vec![1_u64; BUFFER_BYTES / size_of::<u64>()];
    say_ready()?;
    loop {
        for word in &mut buffer {
            *word = word.wrapping_add(1);
        }
        black_box(&mut buffer);
    }
}
