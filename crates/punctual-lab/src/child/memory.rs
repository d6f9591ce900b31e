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
    let (mut buffer, words) = (Vec::new(), BUFFER_BYTES / size_of::<u64>());
    // Without this, a process without memory would abort.
    buffer.try_reserve_exact(words).map_err(|_| no_memory())?;
    buffer.resize(words, 1_u64);
    say_ready()?;
    loop {
        for word in &mut buffer {
            *word = word.wrapping_add(1);
        }
        black_box(&mut buffer);
    }
}

fn no_memory() -> Error {
    let megabytes = BUFFER_BYTES >> 20;
    Error::system(format!(
        "there is no memory for its {megabytes} MiB; free some, or raise the limit ('ulimit -v', or the \
         memory.max of the cgroup)"
    ))
}
