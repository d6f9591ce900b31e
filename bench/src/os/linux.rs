//! Linux: timer slack, the processor time that waiting takes, and memory.

#![allow(unsafe_code, reason = "system calls")]

pub mod calls;
pub mod resuming;
pub mod waits;

use rustix::thread::{current_timer_slack, set_current_timer_slack};
use rustix::time::{ClockId, clock_gettime};
use std::marker::PhantomData;
use std::num::NonZeroU64;
use std::time::Duration;

/// The calling thread's timer slack, changed until this is dropped.
///
/// <https://man7.org/linux/man-pages/man2/PR_SET_TIMERSLACK.2const.html>
pub struct SlackGuard {
    /// None of a real-time thread.
    found: Option<NonZeroU64>,
    /// Slack belongs to the thread: the guard must be dropped where it was made.
    not_send: PhantomData<*const ()>,
}

impl SlackGuard {
    /// Real-time threads have no slack and ignore this.
    pub fn set(slack: Duration) -> Self {
        let found = current_timer_slack().ok().and_then(NonZeroU64::new);
        // It takes any number.
        let _ = set_current_timer_slack(NonZeroU64::new(slack.subsec_nanos().into()));
        Self {
            found,
            not_send: PhantomData,
        }
    }
}

impl Drop for SlackGuard {
    fn drop(&mut self) {
        // To set none would set the default.
        if self.found.is_some() {
            let _ = set_current_timer_slack(self.found);
        }
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
            Self::Thread => ClockId::ThreadCPUTime,
            Self::Process => ClockId::ProcessCPUTime,
        };
        // A processor time is never negative.
        clock_gettime(clock).try_into().unwrap_or_default()
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
        let slack = || current_timer_slack().unwrap();
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
            waits::sleep_until(until.as_nanos());
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
