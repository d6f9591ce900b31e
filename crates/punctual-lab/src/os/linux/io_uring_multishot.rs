//! A timeout of an io_uring that repeats by itself: each end of a period is a completion.

use super::io_uring::{TIMED_OUT, completed, refused};
use super::unavailable;
use crate::waiters::{Keeping, Wait, Waiter};
use ::io_uring::types::{TimeoutFlags, Timespec};
use ::io_uring::{IoUring as Ring, opcode};
use punctual::{Error, Instant, Native, Period};

/// <https://man7.org/linux/man-pages/man2/io_uring_enter.2.html> (`IORING_TIMEOUT_MULTISHOT`)
pub(super) const IO_URING_MULTISHOT: Waiter<Native> = Waiter::beating(
    "io-uring-cycle",
    "an io_uring timeout that repeats",
    Keeping::Itself,
    |os, options| {
        let mut wait = Multishot {
            os: os.clone(),
            running: None,
            period: Box::new(timespec(options.period)),
        };
        // Once as a test, because this function can return a reason.
        wait.start()?;
        wait.end_turn();
        Ok(Box::new(wait))
    },
);

/// One request, and its completions: what does not fit stays in the kernel until there is room.
const ENTRIES: u32 = 1;

/// The first kernel with them.
const SINCE: &str = "6.4";

struct Multishot {
    os: Native,
    /// The ring of a turn. Its request ends with it.
    running: Option<Ring>,
    /// Its address is stable, and it is freed after the ring.
    period: Box<Timespec>,
}

fn timespec(period: Period) -> Timespec {
    let period = period.to_duration();
    Timespec::new()
        .sec(period.as_secs())
        .nsec(period.subsec_nanos())
}

impl Multishot {
    fn start(&mut self) -> Result<(), Error> {
        let mut ring =
            Ring::new(ENTRIES).map_err(|error| unavailable(error, "io_uring_setup", SINCE))?;
        let request = opcode::Timeout::new(&raw const *self.period)
            .flags(TimeoutFlags::MULTISHOT)
            .build();
        // SAFETY: the time outlives the ring.
        let pushed = unsafe { ring.submission().push(&request) };
        // There is room for one request.
        let _ = pushed;
        ring.submit()
            .map_err(|error| unavailable(error, "io_uring_enter", SINCE))?;
        // A kernel without it completes it at once, with another error than that of a timeout.
        let done = ring.completion().next().map(|done| done.result());
        if let Some(result) = done.filter(|&result| result != TIMED_OUT) {
            return Err(refused(result, "repeating", SINCE));
        }
        self.running = Some(ring);
        Ok(())
    }
}

impl Wait for Multishot {
    fn begin_turn(&mut self) {
        // It could be started when it was made, so it can be started now.
        let _ = self.start();
    }

    /// Measures the timer's own period, so it does not use the deadline.
    fn wait_until(&mut self, _: Instant) -> Instant {
        if let Some(ring) = &mut self.running {
            // It was accepted, so only its end matters here.
            let _ = completed(ring);
        }
        self.os.now()
    }

    fn end_turn(&mut self) {
        self.running = None;
    }
}
