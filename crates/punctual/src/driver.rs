//! A driver: one thread that serves the timers of all threads, with callbacks and futures.
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
//! # Running a driver
//!
//! | call | the thread that sleeps |
//! |---|---|
//! | [`Driver::start`] | the driver's own thread, which is joined at shutdown |
//! | [`Driver::run`] | the calling thread, until shutdown |
//! | [`Driver::block_on`] | the calling thread, until a future is ready |
//! | [`Driver::next_wakeup`], [`Driver::run_due`] | your thread, in your own event loop |
//! | none, on a [`VirtualOs`](crate::os::VirtualOs) | its only thread, where it would wait for ever |
//!
//! The first three sleep with a [`Sleeper`], as precisely as its margin and its budget allow. To raise
//! the priority of that thread, run the driver on your own thread, with a [guard](crate::guard).
//!
//! A timer whose [window](Window) is at least as wide as the margin needs no spin. The driver passes
//! the part of the window that [saves wake-ups](crate::Timers::next_shared_window) to the system: on
//! Linux as timer slack, on Windows as tolerable delay.
//!
//! # What it promises
//!
//! - **Never early, never drifting, in order**, as [`Timers`](crate::Timers) and [`Schedule`] define
//!   it: timers fire in the order of the ends of their windows. For timers with the same end, each
//!   thread's order of insertion holds. Each callback gets a reading of the clock from just before the
//!   call.
//! - **Only later callbacks wait for a callback.** Threads have their own queues, and a queue is
//!   locked only while it is changed: never during a call of the system, a callback, a waker, or a
//!   destructor of yours. All of these may use the driver.
//! - **A panic stops only its own callback.** The panic of a callback, a waker or a destructor is
//!   counted, and the driver goes on. A repeating callback that panics is dropped and not called
//!   again, because its state may be half-changed. (With `panic = "abort"` the process ends.)
//! - **Late timers are counted** in [`Counters`].
//! - **An overloaded driver does not spin.** If many timers fell due while others were served, the
//!   driver is behind. For a while it then waits without a spin: at least for as long as it has just
//!   worked, up to a millisecond. So the tasks that it woke get the processor. Then it serves all timers
//!   that are due together. They are still never early.
//!
//! # Shutting down
//!
//! [`Handle::shut_down`], [`DriverThread::shut_down`], and dropping the [`Driver`] or the
//! [`DriverThread`] shut a driver down. A running callback finishes. Waiting callbacks are not called,
//! but dropped on the driver's thread, in the order in which they were due. Waiting futures are woken
//! and fail with [`ShutDown`], and ticks end. Later inserts are refused. Counters can still be read.
//!
//! # Inside a callback
//!
//! A callback may do anything except wait for its own driver. If it drops the [`DriverThread`], the
//! driver is shut down, and its thread ends after the callback. If it waits for a future of its own
//! driver, as with [`block_on`](crate::block_on()), it panics, because the wait would never end.
//!
//! # After `fork`
//!
//! A forked process has none of its parent's threads. So a driver that was [started](Driver::start) is
//! shut down in the child: it refuses timers, its futures fail, its counters read zero, and dropping
//! it neither waits nor locks. The parent's driver goes on. A driver that was not started yet can be
//! run in the child.
//!
//! # What it does not do
//!
//! - Callbacks share one thread. One that takes long makes those after it late.
//! - If another thread inserts an earlier timer while the driver spins, that timer waits for the end
//!   of the spin, at most a margin.
//! - If you cancel the timer that the driver sleeps for, it still wakes for it.
//! - What delays the driver's thread delays all of its timers.
//! - Threads and programs that a callback starts inherit the [short slice](crate::os::Slice::Short) of
//!   the driver's thread, on Linux. Start the driver [with](Driver::start_with) a sleeper that leaves the
//!   slice unchanged if that matters.

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
pub use job::{Cancellation, Firing};
pub use sleep::Sleep;
pub use thread::DriverThread;
pub use ticks::Ticks;
pub use timeout::TimedOut;
pub use timer::Timer;
pub use when::{Repeating, When};

#[cfg(doc)]
use crate::Schedule;
use crate::Window;
use crate::os::{Native, Os};
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

/// Serves timers on the thread that runs it. [The module](self) describes how.
///
/// Timers come from its [handles](Self::handle), which can be cloned. The driver itself cannot.
pub struct Driver<O: Os = Native> {
    handle: Handle<O>,
    /// Memory for those that are woken together.
    wakers: Vec<Waker>,
    pace: Pace,
}

/// The error of a driver that was shut down: it takes no more timers.
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
    /// Where the system cannot wait; see [`Native::new`].
    pub fn new() -> Self {
        // Not of a `Native::new()`, after which nothing can be reached where there is none yet.
        let native = Native::detect().map(Self::on);
        native.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Like [`new`](Self::new), but returns an error instead of panicking.
    ///
    /// # Errors
    /// Those of [`Native::detect`].
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
        let threadless: Weak<Shared<O>> = Arc::downgrade(&shared);
        shared.hub.os.announce(threadless);
        Self {
            handle: Handle::new(shared),
            wakers: Vec::new(),
            pace: Pace::default(),
        }
    }

    /// A handle, to give it timers from any thread.
    pub fn handle(&self) -> Handle<O> {
        self.handle.clone()
    }

    /// Runs it on its own thread, with a default [`Sleeper`].
    ///
    /// # Errors
    /// When the system has no thread to give.
    pub fn start(self) -> Result<DriverThread<O>, Error> {
        let sleeper = Sleeper::on(self.os().clone());
        self.start_with(sleeper)
    }

    /// Runs it on its own thread, with the given sleeper.
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

    /// Runs it on this thread until a future is ready. The future may use the driver.
    ///
    /// If the driver is shut down meanwhile, its own futures fail, but the call still waits for
    /// `future`.
    ///
    /// ```
    /// use punctual::os::VirtualOs;
    /// use punctual::{Driver, Instant, Sleeper};
    ///
    /// // A century in virtual time, on a machine with one thread.
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
            if is_woken {
                if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
                    return output;
                }
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

    /// The window of time in which to call [`run_due`](Self::run_due), or a timer is late. `None` if
    /// no timer waits, or it is shut down. Any instant of the window leads to the fewest wake-ups.
    ///
    /// An event loop waits for its other events until an instant of the window, and then calls
    /// `run_due`. [`on_sooner`](Self::on_sooner) tells it about a timer that comes before the window.
    /// It also tells it about a shutdown that comes after this call. So ask after this call, not before,
    /// whether the driver [was shut down](Handle::is_shut_down).
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

    /// Calls every callback and wakes every future that is due, or falls due meanwhile. Returns their
    /// number. After a shutdown it drops the waiting ones instead.
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

    /// Sets a function that ends the event loop's own wait, for example by writing to a pipe that the
    /// loop polls. It is called on the inserting thread when a timer comes before the window of
    /// [`next_wakeup`](Self::next_wakeup), and when the driver is shut down. It is called at most once
    /// after each call of `next_wakeup`.
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
