//! A stream through memory: caches are emptied, and the way to memory is busy.

use super::say_ready;
use punctual::Error;
use std::convert::Infallible;
use std::hint::black_box;

/// More than the last-level cache of nearly every machine (8 to 64 MB are common, 256 MB the most
/// that one group of cores shares), and little enough for a machine of one gigabyte.
const BUFFER_BYTES: usize = 256 << 20;

pub(super) fn serve() -> Result<Infallible, Error> {
    // Ones, because pages of zeros need not exist until they are written.
    let mut buffer = vec![1_u64; BUFFER_BYTES / size_of::<u64>()];
    say_ready()?;
    loop {
        for word in &mut buffer {
            *word = word.wrapping_add(1);
        }
        black_box(&mut buffer);
    }
}
