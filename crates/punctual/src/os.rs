//! The operating system as a value.
//!
//! Everything in this crate that waits is generic over [`Os`]. [`Native`] is the machine that the
//! program runs on. [`VirtualOs`] has a clock that moves only when a thread waits, so that tests of the
//! same code take no time and are deterministic.
//!
//! An implementation keeps these promises, and callers rely on nothing more:
//!
//! - A wait may end early: a signal, a spurious wake-up, a coarse clock, a second wake-up by a bell that
//!   was rung once. It may end late by any time. Callers read the clock and wait again.
//! - A rung bell stays rung until it is hushed. Until then it ends every wait on it, but a thread may wake
//!   late from it. A wait reports [`Woken::ByBell`] only if the bell was rung, and may report
//!   [`Woken::ByTime`] although the bell ended it. [`is_rung`](Os::is_rung) is always right.
//! - The clock never goes back. It may show one reading many times, and it may jump ahead.
//! - Every call costs time, including a reading of the clock. So a loop that reads the clock until it
//!   changes ends on every machine.
//! - No call holds a lock, which another thread's call could need, for longer than it takes to copy a
//!   word. Only what changes a thread's [slice](Scheduling::set_slice) holds one for a few system calls,
//!   which do not wait, and only another thread that changes the same slice needs it. No caller holds its own lock across a call that waits: two simulated threads would then wait
//!   for each other for ever.
//! - Handles are cheap to clone and hold nothing that belongs to one thread.
//!
//! [`suspend`] describes what happens to waits when the machine is suspended.
//!
//! # Your own code in virtual time
//!
//! Make a type that waits generic over the machine, with the machine that the program runs on as the
//! default. The program calls `Heart::new()`, and its tests call `Heart::on(VirtualOs::new())`.
//!
//! ```
//! use punctual::{Native, Os, Period, Sleeper, Ticker, VirtualOs};
//!
//! struct Heart<O: Os = Native> {
//!     beats: Ticker<O>,
//! }
//!
//! impl Heart {
//!     fn new() -> Self {
//!         Self::on(Native::new())
//!     }
//! }
//!
//! impl<O: Os> Heart<O> {
//!     fn on(os: O) -> Self {
//!         let sleeper = Sleeper::on(os).coarse();
//!         Self { beats: Ticker::with_sleeper(sleeper, Period::from_hertz_fraction(72, 60)) }
//!     }
//!
//!     fn beat(&mut self, count: usize) -> u64 {
//!         self.beats.by_ref().take(count).map(|beat| 1 + beat.missed).sum()
//!     }
//! }
//!
//! // An hour in a test: 72 beats a minute, and one at the beginning.
//! let os = VirtualOs::new();
//! assert_eq!(Heart::on(os.clone()).beat(72 * 60 + 1), 4_321);
//! assert_eq!(os.now().as_nanos() / 1_000_000_000, 3_600);
//! # let _ = Heart::new();
//! ```
//!
//! The simulated machines of the crate `punctual-sim` test programs with several threads in the same
//! way, also on simulated versions of Windows. Its module `testing` says what a test should assert.

#[cfg(feature = "machines")]
pub mod machines;
mod native;
mod scheduling;
mod sealed;
mod slice;
pub(crate) mod spin;
pub mod suspend;
mod thread;
mod threadless_driver;
mod virtual_os;
pub(crate) mod wait;

use crate::margin::ProcessBudget;
use crate::{Error, Instant};
use sealed::Sealed;
use std::fmt::Debug;
use std::sync::{Arc, Weak};
use std::time::Duration;

#[cfg(feature = "machines")]
pub use native::windows;
pub use native::{
    Deadline, MultimediaTask, Native, NativeAffinity, NativeBell, NativeOrigin, NativePrecision,
    NativePriority, NativeSlice, NativeThreadId, ResolutionRequest, sleep, sleep_until,
};
pub use scheduling::{Priority, Scheduling};
pub use slice::Slice;
pub use spin::Spin;
pub use thread::{Panicked, Thread};
#[doc(hidden)]
pub use threadless_driver::ThreadlessDriver;
pub use virtual_os::{VirtualBell, VirtualOs};

/// The calls of an operating system that waiting needs.
///
/// The trait is sealed, so that it can gain methods. Its machines are [`Native`] and [`VirtualOs`], and
/// those of the crate `punctual-sim`.
///
/// ```
/// use punctual::os::{Native, Os, Woken};
/// use std::time::Duration;
///
/// let os = Native::new();
/// let bell = os.bell();
/// let until = os.now() + Duration::from_millis(1);
/// while os.now() < until {
///     assert_eq!(os.wait(Some(until), Duration::ZERO, &bell), Woken::ByTime);
/// }
/// ```
pub trait Os: Sealed + Clone + Send + Sync + 'static {
    /// A bell, which another thread can ring to end a wait: a futex word, an event, a user event.
    type Bell: Clone + Send + Sync + 'static;

    /// What a loop holds between its waits, so that they are precise: on Windows a request, on Linux a
    /// short slice of the thread. Empty on a system that has neither.
    type Precision: Send + Sync + 'static;

    /// The id of a thread. No two threads that live at the same time share it.
    type ThreadId: Copy + Eq + Debug + Send + Sync + 'static;

    /// A value that remembers the process in which it was [made](Os::origin).
    type Origin: Send + Sync + 'static;

    /// Reads the monotonic clock.
    fn now(&self) -> Instant;

    /// The time since an instant: zero if it is still to come.
    ///
    /// ```
    /// use punctual::os::{Os, VirtualOs};
    /// use std::time::Duration;
    ///
    /// let os = VirtualOs::new();
    /// let began = os.now();
    /// os.advance(Duration::from_secs(1));
    /// assert!(os.elapsed(began) >= Duration::from_secs(1));
    /// ```
    fn elapsed(&self, since: Instant) -> Duration {
        self.now().duration_since(since)
    }

    /// Makes a bell that has not been rung.
    fn bell(&self) -> Self::Bell;

    /// Rings a bell: ends every wait on it, and every later one, until it is [hushed](Os::hush).
    fn ring(&self, bell: &Self::Bell);

    /// Resets a rung bell, so that waits on it no longer end. The caller then sees everything that other
    /// threads did before they rang it.
    fn hush(&self, bell: &Self::Bell);

    /// Whether the bell has been rung and not been hushed since.
    fn is_rung(&self, bell: &Self::Bell) -> bool;

    /// The system's own wait: until the instant (for ever if there is none), or until the bell rings.
    ///
    /// It may end early, or late. To share wake-ups, the system may delay its end by up to `tolerance`.
    fn wait(&self, until: Option<Instant>, tolerance: Duration, bell: &Self::Bell) -> Woken;

    /// Waits as [`wait`](Os::wait) does, but a signal that this thread handles ends the wait, and the result says so.
    ///
    /// The system tells on Linux, unless a sandbox refuses `futex`, and on macOS: also if the handler was installed with
    /// `SA_RESTART`, as by `signal`. Windows has no signals. Elsewhere they do not end waits.
    fn wait_or_signal(&self, until: Instant, tolerance: Duration, bell: &Self::Bell) -> Woken {
        self.wait(Some(until), tolerance, bell)
    }

    /// The longest wait for which a loop should hold [`precision`](Os::precision) between its waits too.
    /// A longer wait can request precision in time. Zero if every wait can. [`Duration::MAX`] if it costs
    /// nothing to hold it.
    fn precision_within(&self) -> Duration {
        Duration::ZERO
    }

    /// Makes the waits of the calling thread precise until the result is dropped, if the system can be
    /// asked for that. Where [waits end with interrupts](Os::precise_interval), it costs power on the
    /// whole machine, so drop it when the loop stops waiting. The result may be dropped on any thread.
    fn precision(&self, slice: Slice) -> Self::Precision;

    /// Whether this makes the waits of the calling thread precise. It may have been made on another.
    fn is_precise_here(&self, _precision: &Self::Precision) -> bool {
        true
    }

    /// The time between the interrupts that end waits while [`precision`](Os::precision) is held.
    /// Zero on systems where waits end at any instant.
    fn precise_interval(&self) -> Duration {
        Duration::ZERO
    }

    /// The interval of the kernel's ticks, interrupts that every busy processor takes at the same instants, if they come at
    /// whole multiples of it on this clock, as far as a look at the clocks tells. One look finds out about half of those
    /// that do not. Costs some tens of nanoseconds, and no system call.
    fn ticks(&self) -> Option<Duration> {
        None
    }

    /// Reads the clock until the instant has come, and returns the last reading, which is never before
    /// `until`. Between two readings it does what `spin` says, except in the last microsecond, in which
    /// that would add to the lateness.
    fn spin_until(&self, until: Instant, spin: Spin) -> Instant;

    /// The id of the calling thread.
    fn thread_id(&self) -> Self::ThreadId;

    /// A number of the calling thread, which stays the same while the thread lives. Its remainder
    /// chooses one of several queues: threads that live at the same time have numbers close together.
    /// Costs a nanosecond or two, and no system call.
    fn lane(&self) -> usize;

    /// Remembers the process that the calling thread is in, for [`is_forked`](Os::is_forked).
    fn origin(&self) -> Self::Origin;

    /// Whether this process is a fork of the one in which the origin was made, or a fork of a fork.
    ///
    /// A fork has a copy of its parent's memory and none of its threads. On most systems the call is one
    /// load of a nanosecond or two, and no system call.
    fn is_forked(&self, origin: &Self::Origin) -> bool;

    /// The number of the processor that the calling thread is on, and may have left by the time this returns. `None` if
    /// the system does not tell. Costs some nanoseconds, and no system call.
    fn current_processor(&self) -> Option<usize> {
        None
    }

    /// The budget that the sleepers of this process share. It costs no system call.
    fn process_budget(&self) -> Arc<ProcessBudget>;

    /// Registers a driver with a machine that has no thread to run it on.
    #[doc(hidden)]
    fn announce(&self, _driver: Weak<dyn ThreadlessDriver>) {}

    /// Starts a thread. Its name shows in debuggers; Linux shows the first 15 bytes.
    ///
    /// # Errors
    /// When the system has no thread to give, or this machine runs only one.
    fn spawn(
        &self,
        name: &str,
        body: Box<dyn FnOnce() + Send>,
    ) -> Result<Thread<Self::Bell>, Error>;
}

/// The reason why a system wait ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Woken {
    /// The bell: it was rung before or during the wait.
    ByBell,
    /// The instant came, or the system returned early. Read the clock to know which. The bell may have
    /// been rung, too.
    ByTime,
    /// A signal that this thread has handled. Only [`wait_or_signal`](Os::wait_or_signal) always says so.
    BySignal,
}

impl Woken {
    /// Of a wait after which the bell is rung or not, and that a signal ended or not.
    pub(crate) fn by(is_rung: bool, is_signal: bool) -> Self {
        match (is_rung, is_signal) {
            (true, _) => Self::ByBell,
            (false, true) => Self::BySignal,
            (false, false) => Self::ByTime,
        }
    }
}
