//! A timeout among the requests of an io_uring, and a wait for its completion.

mod ring;

use super::{timespec_at, unavailable};
use crate::machine::{Method, Offer};
use punctual::{Instant, Native};
use ring::Ring;

/// <https://man7.org/linux/man-pages/man2/io_uring_enter.2.html> (`IORING_OP_TIMEOUT`)
pub(super) const IO_URING: Offer<Native> = Offer {
    name: "io-uring",
    summary: "io_uring's timeout at the deadline; timer slack does not apply",
    slack_applies: false,
    make: |os, _| {
        let ring = Ring::new().map_err(|call| unavailable(call, SINCE))?;
        let mut method = IoUring {
            os: os.clone(),
            ring,
        };
        // A kernel that has rings but not this request completes it at once, with another error.
        match method.ring.time_out(&timespec_at(os.now())) {
            Some(TIMED_OUT) => Ok(Box::new(method)),
            Some(result) => {
                let error = std::io::Error::from_raw_os_error(-result);
                Err(punctual::Error::unsupported(format!(
                    "this kernel's io_uring has no absolute timeouts (Linux {SINCE}): {error}"
                )))
            }
            None => Err(unavailable("io_uring_enter", SINCE)),
        }
    },
};

/// The first kernel whose timeouts can be absolute.
const SINCE: &str = "5.5";

/// The result of a timeout that did what it was for.
const TIMED_OUT: i32 = -libc::ETIME;

struct IoUring {
    os: Native,
    ring: Ring,
}

impl Method for IoUring {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        self.ring.time_out(&timespec_at(deadline));
        self.os.now()
    }
}
