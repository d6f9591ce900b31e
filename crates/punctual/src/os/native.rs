//! The system this program runs on: chooses its folder, and makes it the same kind of thing
//! everywhere, so that what compiles on one system compiles on all.

mod resolution;
mod scheduling;
mod sleep;
mod std_time;

use super::sealed::Sealed;
use super::{Os, Slice, Spin, Thread, Woken};
use crate::margin::ProcessBudget;
use crate::opaque::opaque;
use crate::{Error, Instant};
use std::fmt;
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use sys::System;

// On x32, a process of 64 bits with pointers of 32, calls take other structures than here.
#[cfg(all(
    target_os = "linux",
    any(target_pointer_width = "64", target_arch = "arm", target_arch = "x86")
))]
#[path = "linux/mod.rs"]
mod sys;

#[cfg(target_os = "macos")]
#[path = "macos/mod.rs"]
mod sys;

#[cfg(windows)]
use windows::real as sys;

#[cfg(not(any(
    windows,
    all(
        target_os = "linux",
        any(target_pointer_width = "64", target_arch = "arm", target_arch = "x86")
    ),
    target_os = "macos"
)))]
use generic as sys;

// Nothing in it belongs to a system.
#[cfg_attr(
    any(windows, target_os = "macos", target_os = "linux"),
    allow(dead_code, reason = "where there is better, only its tests use it")
)]
#[path = "generic.rs"]
mod generic;

// All that is to be decided about Windows is decided and tested everywhere; elsewhere only who makes
// machines has a use for it.
#[cfg(any(windows, test, feature = "machines"))]
#[cfg_attr(
    not(feature = "machines"),
    allow(
        dead_code,
        unused_imports,
        reason = "some of it only those use who make machines"
    )
)]
#[path = "windows/mod.rs"]
pub mod windows;

#[cfg(any(windows, target_os = "macos", test, feature = "machines"))]
#[path = "timebase.rs"]
mod timebase;

// Tested everywhere: nothing in it belongs to macOS.
#[cfg(any(test, target_os = "macos"))]
#[path = "macos/waiters.rs"]
mod waiters;

#[path = "lane.rs"]
mod lane;

pub use resolution::{MultimediaTask, ResolutionRequest};
pub use scheduling::{NativeAffinity, NativePriority, NativeSlice};
pub use sleep::{Deadline, sleep, sleep_until};

/// The system this program runs on: Linux, macOS, Windows, or [another](Self::is_precise).
///
/// Its methods are the same on all of them. Clones are cheap and stand for the same system.
///
/// ```
/// use punctual::Native;
///
/// let os = Native::detect()?;
/// println!("{:?} since the clock began", os.now().as_nanos());
/// # Ok::<(), punctual::Error>(())
/// ```
#[derive(Clone)]
pub struct Native(System);

/// The bell of [`Native`].
#[derive(Clone)]
pub struct NativeBell(<System as Os>::Bell);

/// What makes the waits of a thread precise on [`Native`].
pub struct NativePrecision {
    held: <System as Os>::Precision,
}

/// The id of a thread of this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NativeThreadId(<System as Os>::ThreadId);

/// A value that remembers the process in which it was made.
pub struct NativeOrigin {
    inner: <System as Os>::Origin,
}

/// The one budget of this process. A copy of the process has a copy of it.
fn process_budget() -> Arc<ProcessBudget> {
    static OF_THIS_PROCESS: LazyLock<Arc<ProcessBudget>> = LazyLock::new(Arc::default);
    Arc::clone(&OF_THIS_PROCESS)
}

impl Native {
    /// The system this program runs on.
    ///
    /// # Panics
    /// Where the standard library cannot wait either: on `wasm32-unknown-unknown`. [`Native::detect`] returns an error
    /// instead.
    pub fn new() -> Self {
        Self::detect().unwrap_or_else(|error| panic!("{error}"))
    }

    /// The system this program runs on. Detects which calls the system offers.
    ///
    /// # Errors
    /// [Unsupported](Error::is_unsupported) where the standard library cannot wait either. On macOS,
    /// [system](Error::is_system) if it does not report its clock's unit, which has never been seen.
    pub fn detect() -> Result<Self, Error> {
        System::detect().map(Self)
    }

    /// Whether it waits with calls of the system that were chosen for precision. `false` where Punctual knows only the
    /// standard library (Android, the BSDs, WebAssembly, and others), and on Linux in a sandbox that refuses `futex`. Waits keep all promises there, but
    /// the system may end them later, so that precision costs more spinning.
    pub fn is_precise(&self) -> bool {
        self.0.is_precise()
    }

    /// Reads the monotonic clock, as [`Os::now`] does.
    #[inline]
    pub fn now(&self) -> Instant {
        self.0.now()
    }
}

#[cfg(target_os = "macos")]
impl Native {
    /// The first count of `mach_absolute_time` at which the clock reads `instant` or later, for system
    /// calls that take a count. Only on macOS.
    pub fn mach_absolute_time_at(&self, instant: Instant) -> u64 {
        self.0.mach_absolute_time_at(instant)
    }
}

impl Sealed for Native {}

impl Os for Native {
    type Bell = NativeBell;
    type Precision = NativePrecision;
    type ThreadId = NativeThreadId;
    type Origin = NativeOrigin;

    #[inline]
    fn now(&self) -> Instant {
        self.0.now()
    }

    fn bell(&self) -> NativeBell {
        NativeBell(self.0.bell())
    }

    #[inline]
    fn ring(&self, bell: &NativeBell) {
        self.0.ring(&bell.0);
    }

    #[inline]
    fn hush(&self, bell: &NativeBell) {
        self.0.hush(&bell.0);
    }

    #[inline]
    fn is_rung(&self, bell: &NativeBell) -> bool {
        self.0.is_rung(&bell.0)
    }

    #[inline]
    fn wait(&self, until: Option<Instant>, tolerance: Duration, bell: &NativeBell) -> Woken {
        self.0.wait(until, tolerance, &bell.0)
    }

    fn wait_or_signal(&self, until: Instant, tolerance: Duration, bell: &NativeBell) -> Woken {
        self.0.wait_or_signal(until, tolerance, &bell.0)
    }

    fn precision_within(&self) -> Duration {
        self.0.precision_within()
    }

    fn precise_interval(&self) -> Duration {
        self.0.precise_interval()
    }

    #[inline]
    fn ticks(&self) -> Option<Duration> {
        self.0.ticks()
    }

    fn precision(&self, slice: Slice) -> NativePrecision {
        NativePrecision {
            held: self.0.precision(slice),
        }
    }

    #[inline]
    fn is_precise_here(&self, precision: &NativePrecision) -> bool {
        self.0.is_precise_here(&precision.held)
    }

    #[inline]
    fn spin_until(&self, until: Instant, spin: Spin) -> Instant {
        self.0.spin_until(until, spin)
    }

    #[inline]
    fn thread_id(&self) -> NativeThreadId {
        NativeThreadId(self.0.thread_id())
    }

    #[inline]
    fn lane(&self) -> usize {
        self.0.lane()
    }

    fn origin(&self) -> NativeOrigin {
        NativeOrigin {
            inner: self.0.origin(),
        }
    }

    #[inline]
    fn is_forked(&self, origin: &NativeOrigin) -> bool {
        self.0.is_forked(&origin.inner)
    }

    #[inline]
    fn current_processor(&self) -> Option<usize> {
        self.0.current_processor()
    }

    fn process_budget(&self) -> Arc<ProcessBudget> {
        self.0.process_budget()
    }

    fn spawn(
        &self,
        name: &str,
        body: Box<dyn FnOnce() + Send>,
    ) -> Result<Thread<NativeBell>, Error> {
        Ok(self.0.spawn(name, body)?.with_bell(NativeBell))
    }
}

impl Default for Native {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Native {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Native").field(&self.0).finish()
    }
}

opaque!(NativeBell, NativePrecision, NativeOrigin);
