//! The operating system as a value: what waiting needs of it, and the ones there are.
//!
//! Everything in this crate that waits is generic over [`Os`]. [`Native`] is the machine you run
//! on; [`VirtualOs`] is a clock that moves only when it is waited for, so that the same code is
//! tested in no time and without chance.
//!
//! An implementation keeps these promises, and callers rely on nothing more:
//!
//! - A wait may end early (a signal, a coarse clock). Callers look at the clock and wait again.
//! - Every call costs time, reading the clock included: a loop that reads it until it has changed
//!   ends on every machine.
//! - No call holds a lock that another thread's call could want for longer than it takes to copy a
//!   word, and no caller holds a lock of its own across a call that waits: two simulated threads
//!   would then wait for each other for ever.
//! - Handles are cheap to clone and hold nothing that belongs to one thread.
//!
//! What becomes of waits when the machine is suspended is in [`suspend`].
//!
//! # Code of one's own, in virtual time
//!
//! What waits is generic over the machine, and the machine the program runs on is the default: the
//! program says `Heart::new()`, and its tests `Heart::on(VirtualOs::new())`.
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
//! // An hour, in a test: 72 beats a minute, and the one it begins with.
//! let os = VirtualOs::new();
//! assert_eq!(Heart::on(os.clone()).beat(72 * 60 + 1), 4_321);
//! assert_eq!(os.now().as_nanos() / 1_000_000_000, 3_600);
//! # let _ = Heart::new();
//! ```
//!
//! A program of several threads is tested in the same way on the simulated machines of the crate
//! `punctual-sim`, and what Windows does to it, too. Its module `testing` says what to assert there, and
//! what on no machine.

#[cfg(feature = "machines")]
pub mod machines;
mod native;
mod scheduling;
mod sealed;
mod spin;
pub mod suspend;
mod thread;
mod unattended;
mod virtual_os;

use crate::{Error, Instant};
use sealed::Sealed;
use std::fmt::Debug;
use std::sync::Weak;
use std::time::Duration;

#[cfg(feature = "machines")]
pub use native::windows;
pub use native::{
    MultimediaTask, Native, NativeAffinity, NativeBell, NativeOrigin, NativePrecision,
    NativePriority, NativeThreadId, ResolutionRequest,
};
pub use scheduling::{Priority, Scheduling};
pub use spin::Spin;
pub use thread::{Panicked, Thread};
#[doc(hidden)]
pub use unattended::Unattended;
pub use virtual_os::{VirtualBell, VirtualOs};

/// What waiting needs of an operating system.
///
/// Nobody else can implement it, so that it may gain methods: the machines there are, are
/// [`Native`] and [`VirtualOs`] here, and those of the crate `punctual-sim`.
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
    /// Something another thread can ring to end a wait: a futex word, an event, a user event.
    type Bell: Clone + Send + Sync + 'static;

    /// What a loop of precise waits holds from one wait to the next, until it is dropped. Nothing
    /// on a system whose waits are precise by themselves.
    type Precision: Send + Sync + 'static;

    /// The name of a thread: no two threads that live at the same time share it.
    type ThreadId: Copy + Eq + Debug + Send + Sync + 'static;

    /// What remembers in which process it was [made](Os::origin).
    type Origin: Send + Sync + 'static;

    /// Reads the monotonic clock.
    fn now(&self) -> Instant;

    /// How long ago an instant was: zero if it is yet to come.
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

    /// Rings a bell: ends every wait on it, those that are yet to begin included, until it is
    /// [hushed](Os::hush).
    fn ring(&self, bell: &Self::Bell);

    /// Makes a rung bell wait to be rung again. What was done before each ring that this takes back
    /// is seen by who calls it.
    fn hush(&self, bell: &Self::Bell);

    /// Whether the bell has been rung and not been hushed since.
    fn is_rung(&self, bell: &Self::Bell) -> bool;

    /// The system's own wait: until the instant (for ever if there is none), or until the bell
    /// rings. It may end early, or late by as much as the system pleases; it ends later than it had
    /// to by at most `tolerance`, so that wake-ups can be shared.
    fn wait(&self, until: Option<Instant>, tolerance: Duration, bell: &Self::Bell) -> Woken;

    /// The longest wait for which a loop gains by holding [`precision`](Os::precision) while it
    /// works, too. Longer ones can make their own arrangements in time; zero, where all can.
    fn precision_within(&self) -> Duration {
        Duration::ZERO
    }

    /// Makes the waits of this program precise until the result is dropped, as far as the system
    /// lets itself be asked. It may cost power on the whole machine: whoever stops waiting drops it.
    fn precision(&self) -> Self::Precision;

    /// How far apart the interrupts are with which waits end while [`precision`](Os::precision) is
    /// held. Zero where waits end at any instant.
    fn precise_interval(&self) -> Duration {
        Duration::ZERO
    }

    /// Looks at the clock until the instant has come, and returns the reading that ended it, which
    /// is never before `until`. Between two looks it does what `spin` says, but for the last
    /// microsecond, in which that would add to the lateness.
    fn spin_until(&self, until: Instant, spin: Spin) -> Instant;

    /// The calling thread.
    fn thread_id(&self) -> Self::ThreadId;

    /// A number of the calling thread that stays the same while it lives, for choosing one of
    /// several queues by its remainder: threads that live at the same time have numbers close
    /// together. Costs a nanosecond or two, and no system call.
    fn lane(&self) -> usize;

    /// Remembers the process that the calling thread is in, for [`is_forked`](Os::is_forked).
    fn origin(&self) -> Self::Origin;

    /// Whether this process is a fork of the one in which the origin was made, or a fork of a fork.
    /// A fork has a copy of its parent's memory and none of its threads. Asking costs a nanosecond
    /// or two on most systems: it is a load, and no system call.
    fn is_forked(&self, origin: &Self::Origin) -> bool;

    /// Tells a machine that has no thread to run a driver on that there is one.
    #[doc(hidden)]
    fn announce(&self, _driver: Weak<dyn Unattended>) {}

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

/// What ended a system wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Woken {
    /// The bell: it was rung before or during the wait.
    ByBell,
    /// The instant came, or the system returned early. The clock tells which.
    ByTime,
}
