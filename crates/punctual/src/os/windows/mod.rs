//! Windows, in two layers: the system calls, and the decisions based on them.
//!
//! [`Win32`] has one method per system call. [`WindowsOs`] is an operating system on top of it, and
//! makes every decision: which timer a wait uses, when to raise the timer resolution, and what to do if
//! a version lacks a call. So the same decisions run on a real Windows and on every simulated version,
//! on any computer: nothing here depends on the system that it is compiled for. On Windows,
//! [`Native`](crate::Native) is a `WindowsOs` on Windows' own calls.
//!
//! ```
//! # #[cfg(feature = "machines")] {
//! use punctual::os::windows::{Win32, WindowsOs};
//! use punctual::{Sleeper, Wake};
//! use std::time::Duration;
//!
//! fn nap<W: Win32>(win32: W) -> Wake {
//!     let mut sleeper = Sleeper::on(WindowsOs::on(win32));
//!     sleeper.sleep(Duration::from_millis(2))
//! }
//! # }
//! ```
//!
//! # What it leaves behind
//!
//! Nothing. A request for a higher timer resolution lasts as long as the wait that made it, the
//! [`Sleeper`](crate::Sleeper) that goes on waiting, or a [`Request`]. After the last of them, the
//! process's former power throttling is restored. Events and timers are closed with the last handle of
//! the machine.

mod bell;
mod clock;
mod multimedia;
#[cfg(windows)]
pub(crate) mod real;
mod request;
mod scheduling;
mod shared;
mod throttling;
mod timers;
mod types;
mod waiting;
mod win32;

pub use bell::Bell;
pub use multimedia::MultimediaTask;
#[cfg(windows)]
pub use real::Real;
pub use request::Request;
pub use scheduling::{FoundAffinity, FoundPriority};
pub use types::{
    AffinityMasks, CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, CREATE_WAITABLE_TIMER_MANUAL_RESET,
    INFINITE, PowerThrottling, SYNCHRONIZE, THREAD_PRIORITY_HIGHEST, THREAD_PRIORITY_TIME_CRITICAL,
    TIMER_MODIFY_STATE, TimeCaps, TimerResolution, Waited, Win32Error,
};
pub use win32::Win32;

use crate::margin::ProcessBudget;
use crate::os::sealed::Sealed;
use crate::os::spin::LAST_STRETCH;
use crate::os::{Os, Slice, Spin, Thread, Woken};
use crate::{Error, Instant};
use shared::Shared;
use std::fmt;
use std::hint;
use std::sync::Arc;
use std::time::Duration;

/// Windows as an [`Os`]: a real one, or a simulated version.
///
/// With high-resolution timers (Windows 10 version 1803 and later), a wait costs two system calls and
/// ends up to half a millisecond late.
///
/// Without them it costs four calls. It requests timer interrupts every millisecond while it lasts, or
/// for its last two default intervals (15.625 ms each on most machines), and ends up to a millisecond
/// late once the request has taken effect. A loop of shorter waits needs one request for all of them,
/// which a [`Sleeper`](crate::Sleeper) holds. A wait with a tolerance of a default interval or more
/// makes no request.
pub struct WindowsOs<W: Win32> {
    shared: Arc<Shared<W>>,
}

impl<W: Win32> WindowsOs<W> {
    /// An operating system on the given calls. Detects which calls the version offers, and does without
    /// those that fail. Its clones share one [budget](Os::process_budget): make one for each process.
    pub fn on(win32: W) -> Self {
        Self::sharing(win32, Arc::default())
    }

    /// The same, with a budget that other operating systems of its process share.
    pub(crate) fn sharing(win32: W, process_budget: Arc<ProcessBudget>) -> Self {
        Self {
            shared: Arc::new(Shared::new(win32, process_budget)),
        }
    }

    /// The system calls that it uses.
    pub fn win32(&self) -> &W {
        &self.shared.win32
    }

    /// Requests the highest timer resolution of `timeBeginPeriod`, until the result is dropped.
    ///
    /// # Errors
    /// [System](Error::is_system) if the request is refused.
    pub fn request(&self) -> Result<Request<W>, Error> {
        Request::make(&self.shared).map_err(request::refused)
    }
}

impl<W: Win32> Sealed for WindowsOs<W> {}

impl<W: Win32> Os for WindowsOs<W> {
    type Bell = Bell<W>;
    /// `None` where there are high-resolution timers, and where the request is refused: the ticks
    /// are what there is then.
    type Precision = Option<Request<W>>;
    /// Windows' own number of the thread.
    type ThreadId = u32;
    /// No process of Windows is a copy of another.
    type Origin = ();

    /// The performance counter: it cannot be set and is not slewed, and it counts on while the
    /// machine is asleep.
    fn now(&self) -> Instant {
        let count = self.shared.win32.query_performance_counter();
        self.shared.clock.instant(count)
    }

    /// # Panics
    /// When the system has no memory for an event.
    fn bell(&self) -> Bell<W> {
        Bell::new(self.win32())
            .unwrap_or_else(|error| panic!("the system cannot make an event: {error}"))
    }

    fn ring(&self, bell: &Bell<W>) {
        bell.ring(self.win32());
    }

    fn hush(&self, bell: &Bell<W>) {
        bell.hush(self.win32());
    }

    fn is_rung(&self, bell: &Bell<W>) -> bool {
        bell.is_rung(self.win32())
    }

    /// Ends early at times; the module says why that is best.
    ///
    /// # Panics
    /// When something else has closed the bell's event.
    // Inlined into the loop that waits, as far as the call that blocks: a simulated thread goes on
    // fastest in the function in which it was suspended.
    #[inline(always)]
    fn wait(&self, until: Option<Instant>, tolerance: Duration, bell: &Bell<W>) -> Woken {
        match until {
            Some(until) => self.wait_until(until, tolerance, bell),
            None => self.wait_for_bell(bell),
        }
    }

    /// Two default intervals, where there are no high-resolution timers: a longer wait makes a
    /// request of its own before its end, in time for it to take effect.
    fn precision_within(&self) -> Duration {
        match self.shared.high_resolution {
            Some(_) => Duration::ZERO,
            None => self.requests_within(),
        }
    }

    fn precision(&self, _: Slice) -> Option<Request<W>> {
        match self.shared.high_resolution {
            Some(_) => None,
            None => Request::make(&self.shared).ok(),
        }
    }

    fn precise_interval(&self) -> Duration {
        match self.shared.high_resolution {
            Some(_) => Duration::ZERO,
            None => Duration::from_millis(self.shared.request_period.into()),
        }
    }

    fn spin_until(&self, until: Instant, spin: Spin) -> Instant {
        let Shared { win32, clock, .. } = &*self.shared;
        let last_stretch = clock.first_count_at(until - LAST_STRETCH);
        while win32.query_performance_counter() < last_stretch {
            match spin {
                Spin::Pause if win32.has_processor() => hint::spin_loop(),
                // On a simulated machine a look takes its time, and a pause would take this computer's.
                Spin::Pause => {}
                Spin::Yield => {
                    win32.switch_to_thread();
                }
            }
        }
        let end = clock.first_count_at(until);
        loop {
            let count = win32.query_performance_counter();
            if count >= end {
                return clock.instant(count);
            }
        }
    }

    fn thread_id(&self) -> u32 {
        self.win32().get_current_thread_id()
    }

    fn lane(&self) -> usize {
        // Numbers are multiples of four.
        self.win32().get_current_thread_id() as usize / 4
    }

    fn origin(&self) {}

    fn is_forked(&self, (): &()) -> bool {
        false
    }

    fn current_processor(&self) -> Option<usize> {
        let number = self.win32().get_current_processor_number();
        usize::try_from(number.ok()?).ok()
    }

    fn process_budget(&self) -> Arc<ProcessBudget> {
        Arc::clone(&self.shared.process_budget)
    }

    fn spawn(&self, name: &str, body: Box<dyn FnOnce() + Send>) -> Result<Thread<Bell<W>>, Error> {
        let (thread, run) = Thread::new(self, body);
        self.win32()
            .create_thread(name, Box::new(run))
            .map_err(|error| {
                let refusal = Error::system(format!("cannot start the thread {name:?}: {error}"));
                refusal.because_of(error)
            })?;
        Ok(thread)
    }
}

// Not derived: that would ask it of `W`, which need not be copied.
impl<W: Win32> Clone for WindowsOs<W> {
    fn clone(&self) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
        }
    }
}

impl<W: Win32> fmt::Debug for WindowsOs<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WindowsOs")
            .field("default_interval", &self.shared.default_interval)
            .field("request_period", &self.shared.request_period)
            .field("high_resolution", &self.shared.high_resolution.is_some())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
