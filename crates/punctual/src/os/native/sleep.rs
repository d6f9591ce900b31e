//! One call for a program that has nothing to keep: a sleeper for each thread that sleeps.

use super::Native;
use crate::os::Slice;
use crate::{Instant, Sleeper, Wake};
use std::cell::RefCell;
use std::time::{Duration, Instant as StdInstant};

thread_local! {
    /// Made by the thread's first sleep.
    static OWN: RefCell<Option<Sleeper>> = const { RefCell::new(None) };
}

/// Sleeps for a duration, as [`std::thread::sleep`] does, but more precisely.
///
/// Each thread has a [`Sleeper`] of its own for this, which learns from its sleeps. All of them share the
/// [budget of the process](crate::ProcessBudget). Between two calls it holds nothing of the system: no timer
/// resolution, and no short [slice](Slice). A `Sleeper` that you keep does, and so a loop on a busy machine wakes sooner
/// with one, or with a [`Ticker`](crate::Ticker), which does not drift either.
///
/// ```
/// use std::time::{Duration, Instant};
///
/// let began = Instant::now();
/// punctual::sleep(Duration::from_millis(2));
/// assert!(began.elapsed() >= Duration::from_millis(2));
/// ```
///
/// # Panics
/// Where [`std::thread::sleep`] does: on `wasm32-unknown-unknown`.
pub fn sleep(duration: Duration) -> Wake {
    with_own(|sleeper| sleeper.sleep(duration))
}

/// Sleeps until a deadline: an [`Instant`], or one of the standard library's. If it has already passed, the call only
/// reads the clock. Otherwise as [`sleep`].
///
/// ```
/// use std::time::{Duration, Instant};
///
/// let deadline = Instant::now() + Duration::from_millis(2);
/// punctual::sleep_until(deadline);
/// assert!(Instant::now() >= deadline);
/// ```
///
/// # Panics
/// As [`sleep`].
pub fn sleep_until(deadline: impl Deadline) -> Wake {
    with_own(|sleeper| {
        let deadline = deadline.on(sleeper.os());
        sleeper.sleep_until(deadline)
    })
}

/// What [`sleep_until`] takes: this crate's [`Instant`], and [`std::time::Instant`].
pub trait Deadline: sealed::Deadline {}

impl<T: sealed::Deadline> Deadline for T {}

mod sealed {
    use super::{Instant, Native, StdInstant};

    pub trait Deadline: Copy {
        fn on(self, os: &Native) -> Instant;
    }

    impl Deadline for Instant {
        fn on(self, _: &Native) -> Instant {
            self
        }
    }

    impl Deadline for StdInstant {
        fn on(self, os: &Native) -> Instant {
            os.instant_from_std(self)
        }
    }
}

fn with_own(sleep: impl Fn(&mut Sleeper) -> Wake) -> Wake {
    let sleep = |sleeper: &mut Sleeper| {
        let wake = sleep(sleeper);
        sleeper.pause();
        wake
    };
    // While the thread ends its own is gone, and below a signal handler that sleeps it is in use.
    let slept = OWN.try_with(|own| {
        let mut own = own.try_borrow_mut().ok()?;
        Some(sleep(own.get_or_insert_with(that_holds_nothing)))
    });
    let slept = slept.ok().flatten();
    slept.unwrap_or_else(|| sleep(&mut that_holds_nothing()))
}

fn that_holds_nothing() -> Sleeper {
    Sleeper::new().with_slice(Slice::Unchanged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn neither_clock_is_ever_early() {
        for micros in [0, 1, 100, 2_000] {
            let duration = Duration::from_micros(micros);
            let began = StdInstant::now();
            sleep(duration);
            assert!(began.elapsed() >= duration);
            let deadline = StdInstant::now() + duration;
            sleep_until(deadline);
            assert!(StdInstant::now() >= deadline);
            let deadline = Native::new().now() + duration;
            assert!(sleep_until(deadline).woke >= deadline);
        }
    }

    #[test]
    fn a_deadline_of_the_past_returns_at_once() {
        let past = StdInstant::now();
        let wake = sleep_until(past);
        assert!(wake.slept.is_zero() && wake.spun.is_zero());
        assert!(sleep_until(Instant::ZERO).slept.is_zero());
    }

    #[test]
    fn a_thread_learns_from_its_sleeps() {
        let body = || {
            for _ in 0..3 {
                sleep(Duration::from_micros(300));
            }
            let os = Native::new();
            OWN.with_borrow(|own| {
                let margin = own.as_ref().unwrap().margin().clone();
                let never = Sleeper::on(os).margin().before(Duration::from_micros(300));
                assert_ne!(margin.before(Duration::from_micros(300)), never);
            });
        };
        thread::spawn(body).join().unwrap();
    }

    #[test]
    fn a_thread_that_ends_can_still_sleep() {
        struct Last;
        impl Drop for Last {
            fn drop(&mut self) {
                let deadline = Native::new().now() + Duration::from_micros(100);
                assert!(sleep_until(deadline).woke >= deadline);
            }
        }
        thread_local! {
            static LAST: RefCell<Option<Last>> = const { RefCell::new(None) };
        }
        let body = || {
            // Made before the sleeper, so dropped after it.
            LAST.with_borrow_mut(|last| *last = Some(Last));
            sleep(Duration::from_micros(100));
        };
        thread::spawn(body).join().unwrap();
    }
}
