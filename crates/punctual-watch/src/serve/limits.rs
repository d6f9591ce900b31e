//! What clients may ask of the server. All limits are here.

use std::time::Duration;

/// Connections at once. One more closes the oldest: whoever keeps connections open keeps nothing else out.
/// Two Prometheus, a few people and their browsers need fewer than a dozen.
pub const CONNECTIONS: usize = 64;

/// The first line and the headers of a request, in bytes. Browsers and Prometheus send less than 2 kB.
pub const HEADER_BYTES: usize = 16 << 10;

/// What is read ahead of a connection: pipelined requests wait in it. hyper allows no less than 8 kB, and it must
/// hold one header.
pub const BUFFER_BYTES: usize = 2 * HEADER_BYTES;

/// Headers of a request.
pub const HEADERS: usize = 64;

/// From the start of a connection, or the end of an answer, to the end of the next header.
pub const HEADER_TIME: Duration = Duration::from_secs(10);

/// How long a client may read nothing of its answer. Prometheus gives up after 10 s itself.
pub const WRITE_TIME: Duration = Duration::from_secs(10);

/// How long a connection lasts; a client that wants more makes another. A recording of 20 MB needs 0.5 Mbit/s to be
/// read in this time.
pub const CONNECTION_TIME: Duration = Duration::from_secs(300);

/// How long the answer that is being sent then may still take.
pub const LAST_ANSWER: Duration = Duration::from_secs(10);

/// How long an exposition is used again. So any number of clients costs ten encodings a second of each format. With 64
/// processors one takes less than 2 ms (`examples/encoding.rs`), so both are 4 % of one processor.
pub const FRESH: Duration = Duration::from_millis(100);

/// Recordings that are read or held in memory for clients at once. Each may have some 20 MB.
pub const RECORDINGS: usize = 2;

/// How long the server does not accept after the system refused it a connection: it has none left.
pub const PAUSE: Duration = Duration::from_millis(100);

/// How often the last hour is continued.
pub const MINUTE: Duration = Duration::from_secs(60);
