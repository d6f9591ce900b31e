//! One thread that serves a timer queue: callbacks and futures, given to it from any thread.
//!
//! ```
//! use punctual::{Driver, Period, Sleeper};
//! use std::time::Duration;
//!
//! let driver = Driver::new().start()?;
//! let timers = driver.handle();
//!
//! let beat = timers.every(Period::from_hertz(1_000), |tick| {
//!     println!("beat {}, {:?} late", tick.index, tick.lateness());
//! })?;
//! Sleeper::new().sleep(Duration::from_millis(5));
//! beat.cancel();
//! println!("{:?}", timers.counters());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Who runs it
//!
//! | call | who sleeps |
//! |---|---|
//! | [`Driver::start`] | a thread of its own, which is joined when it is shut down |
//! | [`Driver::run`] | the calling thread, until it is shut down |
//! | [`Driver::block_on`] | the calling thread, until a future is ready |
//! | [`Driver::next_wakeup`], [`Driver::run_due`] | you, in an event loop of your own |
//! | nobody, on a [`VirtualOs`](crate::os::VirtualOs) | its only thread, where it would wait for ever |
//!
//! The first three sleep with a [`Sleeper`], so that the last mile is as precise as its margin and
//! its budget allow. (To raise their thread's priority, run it on one of yours, with a
//! [guard](crate::guard).) A timer whose [window](Window) is at least as wide as the margin costs no spin,
//! and is handed to the system, on Linux as timer slack, on Windows as tolerable delay: as much of
//! its window as [saves wake-ups](crate::Timers::next_shared_window).
//!
//! # What it promises
//!
//! - **Never early, never drifting, in order**, as [`Timers`](crate::Timers) and
//!   [`Schedule`] have it: in the order of the ends of their windows, equals in the order in which each
//!   thread inserted them. Each callback is called with a reading of the clock taken just before.
//! - **Nobody waits for a callback** but the callbacks after it. Threads have queues of their own,
//!   and the lock of each is held for as long as it takes to change it: never across a call of the
//!   system, a callback, a waker, or a destructor of yours. All of these may use the driver.
//! - **A panic ends nothing but itself.** A callback, a waker or a destructor that panics is counted
//!   and the next is called. A repeating callback that panics is dropped and not called again: what
//!   it left half-done nobody knows. (With `panic = "abort"` no promise can be made.)
//! - **What is late is counted**: [`Counters`].
//! - **Whoever cannot keep up does not spin.** If many timers fell due while others were served, the
//!   driver is behind, and for a while waits without a spin: at least for as long as it has just
//!   worked, up to a millisecond, so that those whom it woke get the processor. Then all that is due is
//!   served together. Never early still holds.
//!
//! # Shutting down
//!
//! By [`Handle::shut_down`], [`DriverThread::shut_down`], or dropping the [`Driver`] or the
//! [`DriverThread`]. The callback that is under way goes on to its end. No other is called: those
//! that wait are dropped, in the order in which they were due, on the driver's thread. Futures that
//! wait are woken and fail with [`ShutDown`]; ticks end. Whatever is inserted from then on is
//! refused. Counters can still be read.
//!
//! # Inside a callback
//!
//! A callback may do whatever does not wait for its own driver. One that drops the [`DriverThread`]
//! shuts the driver down, and the thread ends after it. One that would wait for a future of its own
//! driver, as with [`block_on`](crate::block_on()), panics and says so: it would wait for ever.
//!
//! # After `fork`
//!
//! A forked process has none of its parent's threads, so a driver that was [started](Driver::start)
//! is shut down there: it refuses all, its futures fail, its counters read zero, and dropping any of
//! it neither waits nor locks. Its parent's goes on. A driver that nobody started yet can be run in the
//! child.
//!
//! # What it does not do
//!
//! Callbacks share one thread: one that takes long makes those after it late. An earlier timer that
//! is inserted from another thread while the driver spins for its head waits for the end of that
//! spin, at most a margin. Cancelling the timer that the driver sleeps for does not wake it: it
//! wakes in vain. And whatever the kernel does to one thread it does to all of its timers.

mod caught;
mod counters;
mod handle;
mod hub;
mod job;
mod pace;
mod queue;
mod repeats;
mod rest;
mod serving;
mod shard;
mod shared;
mod sleep;
mod thread;
mod ticks;
mod timeout;
mod timer;
mod waiting;
mod when;

pub use counters::{Counters, LATE};
pub use handle::Handle;
pub use job::Firing;
pub use sleep::Sleep;
pub use thread::DriverThread;
pub use ticks::Ticks;
pub use timeout::TimedOut;
pub use timer::{Cancellation, Timer};
pub use when::{Repeating, When};

#[cfg(doc)]
use crate::Schedule;
use crate::os::{Native, Os};
use crate::timers::Window;
use crate::{Error, Instant, Sleeper};
use hub::Hub;
use pace::{Pace, Served};
use serving::Serving;
use shared::{Next, Shared};
use std::fmt;
use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Weak, atomic};
use std::task::{Context, Poll, Waker};
use waiting::Nudger;

/// The name of the thread that [`Driver::start`] starts: the 15 bytes that Linux shows.
const THREAD_NAME: &str = "punctual-driver";

/// Serves a queue of timers, on whichever thread runs it: [the module](self) says how.
///
/// There is one of it for each queue. Timers come from its [handles](Self::handle), of which there
/// can be any number.
pub struct Driver<O: Os = Native> {
    handle: Handle<O>,
    /// Memory for those that are woken together.
    wakers: Vec<Waker>,
    pace: Pace,
}

/// The driver was shut down, and takes no more timers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShutDown;

impl fmt::Display for ShutDown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the driver was shut down: it takes no more timers")
    }
}

impl std::error::Error for ShutDown {}

impl Driver {
    /// A driver on the machine this program runs on.
    ///
    /// # Panics
    /// On systems that are not supported yet; see [`Native::new`].
    pub fn new() -> Self {
        // Not of a `Native::new()`, after which nothing can be reached where there is none yet.
        let native = Native::detect().map(Self::on);
        native.unwrap_or_else(|error| panic!("{error}"))
    }

    /// As [`new`](Self::new).
    ///
    /// # Errors
    /// [Unsupported](Error::is_unsupported) on systems that are not supported yet.
    pub fn try_new() -> Result<Self, Error> {
        Native::detect().map(Self::on)
    }
}

impl Default for Driver {
    fn default() -> Self {
        Self::new()
    }
}

impl<O: Os> Driver<O> {
    /// A driver on the given machine.
    pub fn on(os: O) -> Self {
        let shared = Arc::new(Shared::new(os));
        let unattended: Weak<Shared<O>> = Arc::downgrade(&shared);
        shared.hub.os.announce(unattended);
        Self {
            handle: Handle::new(shared),
            wakers: Vec::new(),
            pace: Pace::default(),
        }
    }

    /// To give it timers, from any thread.
    pub fn handle(&self) -> Handle<O> {
        self.handle.clone()
    }

    /// Runs it on a thread of its own, with a [`Sleeper`] as it ships.
    ///
    /// # Errors
    /// When the system has no thread to give.
    pub fn start(self) -> Result<DriverThread<O>, Error> {
        let sleeper = Sleeper::on(self.os().clone());
        self.start_with(sleeper)
    }

    /// Runs it on a thread of its own, which sleeps with the given sleeper.
    ///
    /// # Errors
    /// When the system has no thread to give.
    pub fn start_with(self, mut sleeper: Sleeper<O>) -> Result<DriverThread<O>, Error> {
        let handle = self.handle();
        self.hub().belongs_here();
        let body = Box::new(move || self.run(&mut sleeper));
        let thread = handle.os().spawn(THREAD_NAME, body)?;
        Ok(DriverThread::new(handle, thread))
    }

    /// Runs it on this thread until it is [shut down](Handle::shut_down).
    pub fn run(mut self, sleeper: &mut Sleeper<O>) {
        let _serving = Serving::begin(self.hub());
        let mut now = self.os().now();
        loop {
            let served = self.serve(now);
            now = match self.shared().fall_asleep() {
                Next::Stop => break,
                Next::Look => self.os().now(),
                Next::Sleep(wakeup) => self.sleep(sleeper, wakeup, served),
            };
        }
        sleeper.pause();
    }

    /// Runs it on this thread until a future is ready, which may use it.
    ///
    /// If the driver is shut down meanwhile, its futures fail, and whatever else the future waits
    /// for is waited for all the same.
    ///
    /// ```
    /// use punctual::os::VirtualOs;
    /// use punctual::{Driver, Instant, Sleeper};
    ///
    /// // A century in no time, on a machine with one thread.
    /// let os = VirtualOs::new();
    /// let mut driver = Driver::on(os.clone());
    /// let century = Instant::from_nanos(3_155_760_000_000_000_000);
    /// let sleep = driver.handle().sleep_until(century);
    /// assert!(driver.block_on(&mut Sleeper::on(os), sleep)? >= century);
    /// # Ok::<(), punctual::driver::ShutDown>(())
    /// ```
    pub fn block_on<F: Future>(&mut self, sleeper: &mut Sleeper<O>, future: F) -> F::Output {
        let waker = Waker::from(Arc::new(Nudger(Arc::clone(self.hub()))));
        let mut context = Context::from_waker(&waker);
        let mut future = pin!(future);
        let _serving = Serving::begin(self.hub());
        let mut now = self.os().now();
        let mut is_woken = true;
        loop {
            let served = self.serve(now);
            if is_woken && let Poll::Ready(output) = future.as_mut().poll(&mut context) {
                return output;
            }
            let next = self.shared().fall_asleep();
            is_woken = next == Next::Look;
            now = match next {
                Next::Sleep(wakeup) => self.sleep(sleeper, wakeup, served),
                Next::Look => self.os().now(),
                Next::Stop => {
                    self.shared().close();
                    self.os().now()
                }
            };
        }
    }

    /// The window in which somebody must [run what is due](Self::run_due), or a timer is late;
    /// `None` if nothing waits, or it is shut down. Whoever does so at any of its instants wakes as
    /// seldom as possible.
    ///
    /// An event loop waits until some instant of the window, for whatever else it waits for, and
    /// then runs what is due. What it hears of a timer that comes before this one is for
    /// [`on_sooner`](Self::on_sooner) to say.
    ///
    /// ```
    /// use punctual::os::VirtualOs;
    /// use punctual::{Driver, Instant, Os};
    /// use std::time::Duration;
    ///
    /// let os = VirtualOs::new();
    /// let mut driver = Driver::on(os.clone());
    /// driver.handle().once(Instant::from_nanos(500_000), |_| println!("half a millisecond"))?;
    /// while let Some(window) = driver.next_wakeup() {
    ///     // Here an event loop would poll its sockets, with this timeout.
    ///     os.advance(window.latest().duration_since(os.now()));
    ///     driver.run_due();
    /// }
    /// # Ok::<(), punctual::driver::ShutDown>(())
    /// ```
    pub fn next_wakeup(&mut self) -> Option<Window> {
        loop {
            match self.shared().fall_asleep() {
                Next::Sleep(wakeup) => return wakeup.map(|wakeup| wakeup.shared),
                Next::Stop => return None,
                Next::Look => {}
            }
        }
    }

    /// Calls every callback and wakes every future whose time has come, those that come meanwhile
    /// included. Returns how many that were. Once it is shut down, it drops what waits instead.
    pub fn run_due(&mut self) -> u64 {
        let _serving = Serving::begin(self.hub());
        self.os().hush(&self.hub().bell);
        let now = self.os().now();
        let done = self.serve(now).done;
        if self.handle.is_shut_down() {
            self.shared().close();
        }
        done
    }

    /// Has `tell` called, on the thread that inserts, when a timer comes before the window that
    /// [`next_wakeup`](Self::next_wakeup) said, and when the driver is shut down: to end the event
    /// loop's own wait, as by writing to a pipe that it polls. It is called once, until
    /// [`next_wakeup`](Self::next_wakeup) is asked again.
    pub fn on_sooner(&mut self, tell: impl Fn() + Send + Sync + 'static) {
        self.hub().set_notify(Arc::new(tell));
    }

    fn shared(&self) -> &Arc<Shared<O>> {
        &self.handle.shared
    }

    fn hub(&self) -> &Arc<Hub<O>> {
        &self.shared().hub
    }

    fn os(&self) -> &O {
        &self.hub().os
    }

    /// Does everything that is due, beginning at `now`.
    fn serve(&mut self, now: Instant) -> Served {
        self.handle.shared.serve(now, &mut self.wakers)
    }
}

impl<O: Os> Drop for Driver<O> {
    fn drop(&mut self) {
        // The destructors that this runs may shut down the thread that they are on.
        let _serving = Serving::begin(self.hub());
        self.shared().close();
    }
}

impl<O: Os> fmt::Debug for Driver<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Driver")
            .field("handle", &self.handle)
            .finish()
    }
}
