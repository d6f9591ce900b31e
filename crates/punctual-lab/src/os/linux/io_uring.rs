//! A timeout among the requests of an io_uring, and a wait for its completion.

use super::{timespec_at, unavailable};
use crate::waiters::{Waiter, deadlines};
use ::io_uring::types::{TimeoutFlags, Timespec};
use ::io_uring::{IoUring as Ring, opcode};
use punctual::{Error, Instant, Native};
use std::io::{self, ErrorKind};

/// <https://man7.org/linux/man-pages/man2/io_uring_enter.2.html> (`IORING_OP_TIMEOUT`)
pub(super) const IO_URING: Waiter<Native> = Waiter::until(
    "io-uring",
    "an io_uring timeout at the deadline; no timer slack",
    |os: &Native, _| {
        let ring = Ring::new(ENTRIES);
        let mut ring = IoUring {
            ring: ring.map_err(|error| unavailable(error, "io_uring_setup", SINCE))?,
            at: Box::default(),
        };
        // A kernel with rings but without this request completes it at once, with another error.
        match ring.time_out(os.now()) {
            Ok(TIMED_OUT) => deadlines(os, move |deadline| {
                // It worked when it was made, so only its end matters here.
                let _ = ring.time_out(deadline);
            }),
            Ok(result) => Err(refused(result, "absolute", SINCE)),
            Err(error) => Err(unavailable(error, "io_uring_enter", SINCE)),
        }
    },
)
.and_lengths();

/// The most requests at a time.
const ENTRIES: u32 = 1;

/// The first kernel with absolute timeouts.
const SINCE: &str = "5.5";

/// The result of a timeout that expired as planned.
pub(super) const TIMED_OUT: i32 = -libc::ETIME;

struct IoUring {
    ring: Ring,
    /// The time of the request. Its address is stable, and it is freed after the ring.
    at: Box<Timespec>,
}

impl IoUring {
    /// Requests a timeout at this time of the monotonic clock, waits for it, and returns its
    /// result.
    fn time_out(&mut self, deadline: Instant) -> io::Result<i32> {
        let at = timespec_at(deadline);
        *self.at = Timespec::new()
            .sec(at.tv_sec.unsigned_abs())
            .nsec(u32::try_from(at.tv_nsec).expect("less than a second"));
        let request = opcode::Timeout::new(&raw const *self.at)
            .flags(TimeoutFlags::ABS)
            .build();
        // SAFETY: the time outlives the ring.
        let pushed = unsafe { self.ring.submission().push(&request) };
        // A request that the kernel did not accept is still in the ring, and is the same.
        let _ = pushed;
        completed(&mut self.ring)
    }
}

/// Waits for the next completion, and returns its result.
pub(super) fn completed(ring: &mut Ring) -> io::Result<i32> {
    loop {
        if let Some(completion) = ring.completion().next() {
            return Ok(completion.result());
        }
        // Stopping and continuing the process interrupts the call. The timeout continues.
        match ring.submit_and_wait(1) {
            Err(error) if error.kind() != ErrorKind::Interrupted => return Err(error),
            _ => (),
        }
    }
}

/// Why a request for such timeouts completed with this result.
pub(super) fn refused(result: i32, timeouts: &str, since: &str) -> Error {
    let error = io::Error::from_raw_os_error(-result);
    Error::unsupported(format!(
        "this kernel's io_uring has no {timeouts} timeouts (Linux {since}): {error}"
    ))
}
