//! Linux: timer slack, absolute naps, the processor time that waiting takes, and memory.

#![allow(unsafe_code, reason = "system calls")]

mod group;
pub mod ready;
pub mod resuming;
pub mod waits;

pub use group::Group;
use punctual::Instant;
use std::marker::PhantomData;
use std::mem;
use std::ptr;
use std::time::Duration;

const NANOS_PER_SECOND: u64 = 1_000_000_000;

/// The calling thread's timer slack, changed until this is dropped.
///
/// <https://man7.org/linux/man-pages/man2/PR_SET_TIMERSLACK.2const.html>
pub struct SlackGuard {
    found: libc::c_int,
    /// Slack belongs to the thread: the guard must be dropped where it was made.
    not_send: PhantomData<*const ()>,
}

impl SlackGuard {
    /// Real-time threads have no slack and ignore this.
    pub fn set(slack: Duration) -> Self {
        // SAFETY: reads a number of the calling thread; no pointers.
        let found = unsafe { libc::prctl(libc::PR_GET_TIMERSLACK) };
        set_slack(slack.subsec_nanos().into());
        Self {
            found,
            not_send: PhantomData,
        }
    }
}

impl Drop for SlackGuard {
    fn drop(&mut self) {
        // Real-time threads report none, and to set none would set the default.
        if let Ok(found @ 1..) = libc::c_ulong::try_from(self.found) {
            set_slack(found);
        }
    }
}

fn set_slack(nanos: libc::c_ulong) {
    // SAFETY: sets a number of the calling thread; no pointers.
    unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, nanos) };
}

/// The system's wait and nothing else: no spin, nothing learned.
pub struct Nap;

impl Nap {
    /// Sleeps until the instant has come. May return early; callers look at the clock.
    pub fn until(instant: Instant) {
        let until = libc::timespec {
            tv_sec: (instant.as_nanos() / NANOS_PER_SECOND).cast_signed(),
            tv_nsec: (instant.as_nanos() % NANOS_PER_SECOND).cast_signed(),
        };
        // SAFETY: `until` is valid for reading; null says that the rest is not asked for, and with
        // an absolute time there is none.
        unsafe {
            libc::clock_nanosleep(
                libc::CLOCK_MONOTONIC,
                libc::TIMER_ABSTIME,
                &raw const until,
                ptr::null_mut(),
            )
        };
    }
}

/// Whose processor time is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meter {
    /// The calling thread's.
    Thread,
    /// All threads of this process: for contenders that wait with the help of another.
    Process,
}

impl Meter {
    /// Processor time used so far.
    pub fn read(self) -> Duration {
        let clock = match self {
            Self::Thread => libc::CLOCK_THREAD_CPUTIME_ID,
            Self::Process => libc::CLOCK_PROCESS_CPUTIME_ID,
        };
        // SAFETY: a structure of plain numbers, for which zero is a value.
        let mut reading: libc::timespec = unsafe { mem::zeroed() };
        // SAFETY: `reading` is valid for writing. Every Linux has both clocks.
        unsafe { libc::clock_gettime(clock, &raw mut reading) };
        // Neither part of a processor time is ever negative.
        Duration::new(reading.tv_sec.unsigned_abs(), 0)
            + Duration::from_nanos(reading.tv_nsec.unsigned_abs())
    }
}

/// Bytes that this process holds from the C library's allocator, the standard one's too.
///
/// <https://man7.org/linux/man-pages/man3/mallinfo.3.html>
pub fn allocated_bytes() -> u64 {
    // SAFETY: reads the allocator's own books; no pointers.
    let books = unsafe { libc::mallinfo2() };
    (books.uordblks + books.hblkhd) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use punctual::Native;

    #[test]
    fn slack_is_given_back() {
        let slack = || {
            // SAFETY: reads a number of the calling thread; no pointers.
            unsafe { libc::prctl(libc::PR_GET_TIMERSLACK) }
        };
        let outer = SlackGuard::set(Duration::from_micros(70));
        {
            let _inner = SlackGuard::set(Duration::from_nanos(1));
            assert_eq!(slack(), 1);
        }
        assert_eq!(slack(), 70_000);
        drop(outer);
    }

    #[test]
    fn a_nap_is_not_short_and_takes_less_processor_time_than_it_lasts() {
        let os = Native::new();
        let (began, used) = (os.now(), Meter::Thread.read());
        let until = began + Duration::from_millis(20);
        while os.now() < until {
            Nap::until(until);
        }
        assert!(Meter::Thread.read() - used < os.now().duration_since(began));
    }

    #[test]
    fn what_is_allocated_is_counted() {
        const BYTES: usize = 50_000_000;
        let before = allocated_bytes();
        // Memory that nobody looks at is not allocated at all where code is optimized.
        let memory = std::hint::black_box(Vec::<u8>::with_capacity(BYTES));
        // Other tests allocate, too, but not so much.
        assert!(allocated_bytes() > before + BYTES as u64 / 2);
        drop(memory);
    }
}
