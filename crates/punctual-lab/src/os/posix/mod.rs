//! What Linux and macOS have in common.

pub(crate) mod process;

use crate::waiters::{NANOSECOND, Wait, Waiter, WaiterOptions, lengths};
use punctual::{Error, Native};
use rustix::io::Errno;
use rustix::thread::{self, NanosleepRelativeResult};
use rustix::time::{ClockId, Timespec, clock_gettime};
use std::io;
use std::time::Duration;

/// A duration in the kernel's form.
pub(super) fn timespec(duration: Duration) -> Timespec {
    Timespec {
        tv_sec: duration.as_secs().try_into().unwrap_or(i64::MAX),
        tv_nsec: duration.subsec_nanos().into(),
    }
}

/// The processor time that the calling thread has used.
pub(super) fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// <https://man7.org/linux/man-pages/man2/nanosleep.2.html>
/// <https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/nanosleep.2.html>
pub(super) const NANOSLEEP: Waiter<Native> =
    Waiter::after("nanosleep", "nanosleep, relative", NANOSECOND, nanosleep).with_slack();

pub(super) fn nanosleep(os: &Native, _: WaiterOptions) -> Result<Box<dyn Wait>, Error> {
    nanosleeps()?;
    lengths(os, NANOSECOND, |length| {
        // If a signal ends it, it is early, which is counted.
        let _ = thread::nanosleep(&timespec(length));
        Ok(())
    })
}

/// Makes the call once, which a sandbox may refuse.
pub(crate) fn nanosleeps() -> Result<(), Error> {
    match thread::nanosleep(&timespec(Duration::ZERO)) {
        NanosleepRelativeResult::Err(error) => Err(unavailable(error, "nanosleep", "POSIX 1993")),
        NanosleepRelativeResult::Ok | NanosleepRelativeResult::Interrupted(_) => Ok(()),
    }
}

/// What a call's failure means for a new method: the kernel lacks the call, or a sandbox refuses it.
pub(super) fn unavailable(error: impl Into<io::Error>, call: &str, since: &str) -> Error {
    let error = error.into();
    match Errno::from_io_error(&error) {
        Some(Errno::NOSYS) => Error::unsupported(format!(
            "this kernel has no {call} ({since}), or a sandbox hides it"
        )),
        Some(Errno::PERM | Errno::ACCESS) => {
            Error::not_permitted(format!("a sandbox refuses {call}"))
        }
        _ => Error::system(format!("{call} failed: {error}")),
    }
}
