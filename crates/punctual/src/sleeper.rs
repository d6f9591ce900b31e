//! One precise sleep at a time: the operating system's wait, then a short spin.

mod halves;
mod phase;
mod wait;

use crate::Window;
use crate::cancel::{Cancel, Cancelled};
use crate::margin::{Budget, LateRate, Margin, ProcessBudget};
use crate::notify::{Notified, Notify};
use crate::os::{Native, Os, Slice, Spin};
use crate::{Arrival, Error, Instant};
pub use halves::{Rest, Signals, Wait};
pub use phase::{Phase, Start};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use wait::PendingObservation;

/// Sleeps until a deadline: never shorter, and only as much longer as its [`Margin`] allows.
///
/// It learns from every wait how late this system wakes this thread. So give each thread a sleeper
/// of its own, and keep it for as long as the thread waits.
///
/// # What it holds of the system
///
/// On Linux it gives the waiting thread a [short slice](Slice::Short), so that the thread gets its turn
/// sooner when it wakes on a busy machine. That needs Linux 6.12, and no privilege. It sets the slice
/// when its first wait begins, and restores it when it is dropped or [paused](Self::pause). If it then
/// waits on another thread, it restores the first thread's slice and sets the other's. Several sleepers
/// of one thread share the slice, and the last one restores it.
///
/// A slice that the program has set itself is left alone, before and during the wait. So are threads of
/// a real-time, deadline, batch or idle class. Threads, forks and programs that the thread starts inherit
/// its slice. So pause the sleeper before you start one that is to have the default, or set
/// [`Slice::Unchanged`](Self::with_slice). A thread that inherits the slice restores the default with its
/// own sleeper, and threads that [`Os::spawn`] starts restore it at once.
///
/// On a Windows without high-resolution timers (before Windows 10 version 1803), waits end at timer
/// interrupts, and only a request makes these frequent. A sleeper makes the request when its first
/// short wait begins, and holds it between its waits. If it made a new request for each wait, every
/// wait would begin with a long interval.
///
/// It ends the request when it is dropped or [paused](Self::pause), and before a wait that is long
/// enough to request at its end (more than two default intervals of 15.6 ms). A
/// [coarse](Self::coarse) sleeper makes no request. A request costs power on the whole machine, so
/// drop or pause a sleeper that you will not use for a while.
///
/// On macOS, and on later versions of Windows, it holds nothing.
///
/// ```
/// use punctual::{Native, Os, Sleeper};
/// use std::time::Duration;
///
/// let os = Native::new();
/// let mut sleeper = Sleeper::new();
/// let deadline = os.now() + Duration::from_millis(2);
/// let wake = sleeper.sleep_until(deadline);
/// assert!(wake.woke >= deadline);
/// println!("late by {:?}, after {:?} of spinning", wake.lateness(), wake.spun);
/// ```
pub struct Sleeper<O: Os = Native> {
    os: O,
    margin: Margin,
    spin: Spin,
    slice: Slice,
    /// Where the last wait ended: the processor budget is a share of the time since.
    last_end: Option<Instant>,
    /// What the last wait taught, digested when the next one begins: between a deadline and the
    /// caller's work not a nanosecond is spent on learning.
    pending: Option<PendingObservation>,
    /// Held from the first wait on that gains by it.
    precision: Option<O::Precision>,
    /// The longest wait that does.
    precision_within: Duration,
    /// What it draws on, unless its margin has a budget of its own.
    process_budget: Arc<ProcessBudget>,
    /// Never rung: what a wait that nothing can cancel waits on.
    silent_bell: O::Bell,
}

/// The result of a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Wake {
    /// The instant at which the wait should have ended; for a window, its beginning.
    pub deadline: Instant,
    /// The reading of the clock that ended the wait; never before the deadline.
    pub woke: Instant,
    /// Time spent in the system's wait.
    pub slept: Duration,
    /// Time between the system's wait and the spin, in which the caller of a [wait in
    /// halves](Wait) got its lock back. Zero for all other waits.
    pub regained: Duration,
    /// Time spent spinning. If the thread lost its processor meanwhile, the time until it had it back
    /// is included.
    pub spun: Duration,
}

impl Wake {
    /// Of a deadline that had passed when the wait began.
    fn without_wait(deadline: Instant, now: Instant) -> Self {
        Self {
            deadline,
            woke: now,
            slept: Duration::ZERO,
            regained: Duration::ZERO,
            spun: Duration::ZERO,
        }
    }

    /// How late the wait ended: the time from the deadline until it woke, including any tolerance.
    pub fn lateness(&self) -> Duration {
        self.woke.duration_since(self.deadline)
    }
}

impl From<Wake> for Arrival {
    fn from(wake: Wake) -> Self {
        Self::new(wake.deadline, wake.woke)
    }
}

impl From<&Wake> for Arrival {
    fn from(wake: &Wake) -> Self {
        Self::from(*wake)
    }
}

impl Sleeper {
    /// A sleeper on the machine this program runs on, with the default [`Margin`]: at most 1 % of
    /// waits end late, and the sleepers of this process together spin at most 5 % of the time, or
    /// another [budget](ProcessBudget).
    ///
    /// # Panics
    /// Where the system cannot wait; see [`Native::new`].
    pub fn new() -> Self {
        Self::on(Native::new())
    }

    /// Like [`new`](Self::new), but returns an error instead of panicking.
    ///
    /// # Errors
    /// Those of [`Native::detect`].
    pub fn try_new() -> Result<Self, Error> {
        Native::detect().map(Self::on)
    }
}

impl Default for Sleeper {
    fn default() -> Self {
        Self::new()
    }
}

impl<O: Os> Sleeper<O> {
    /// A sleeper on the given machine.
    pub fn on(os: O) -> Self {
        let silent_bell = os.bell();
        let process_budget = os.process_budget();
        let precision_within = os.precision_within();
        Self {
            os,
            precision: None,
            precision_within,
            margin: Margin::default(),
            spin: Spin::default(),
            slice: Slice::default(),
            last_end: None,
            pending: None,
            process_budget,
            silent_bell,
        }
    }

    /// Sets the share of waits that may end late, and the share of time that this sleeper may spend
    /// spinning: a budget of its own, whatever other sleepers spend.
    #[must_use]
    pub fn aiming_at(self, late_rate: LateRate, budget: Budget) -> Self {
        self.with_margin(Margin::new(late_rate, budget))
    }

    /// Never spins: every wait ends as late as the system ends it.
    #[must_use]
    pub fn coarse(self) -> Self {
        self.with_margin(Margin::coarse())
    }

    /// Spins for as long as precision needs, without a budget.
    #[must_use]
    pub fn exact(self) -> Self {
        self.with_margin(Margin::exact())
    }

    /// Replaces the margin, and everything that was learned with it.
    #[must_use]
    pub fn with_margin(mut self, margin: Margin) -> Self {
        self.margin = margin;
        self.pending = None;
        self
    }

    /// Sets what a spin does between two readings of the clock.
    ///
    /// ```
    /// use punctual::os::Spin;
    /// use punctual::Sleeper;
    ///
    /// // With only one processor: while this thread spins, others of its priority may run.
    /// let sleeper = Sleeper::new().with_spin(Spin::Yield);
    /// # drop(sleeper);
    /// ```
    #[must_use]
    pub fn with_spin(mut self, spin: Spin) -> Self {
        self.spin = spin;
        self
    }

    /// Sets what it [holds](Self#what-it-holds-of-the-system) of a thread that waits, on systems whose
    /// threads have slices.
    ///
    /// ```
    /// use punctual::os::Slice;
    /// use punctual::Sleeper;
    ///
    /// let sleeper = Sleeper::new().with_slice(Slice::Unchanged);
    /// # drop(sleeper);
    /// ```
    #[must_use]
    pub fn with_slice(mut self, slice: Slice) -> Self {
        self.slice = slice;
        self.precision = None;
        self
    }

    /// The machine it sleeps on.
    pub fn os(&self) -> &O {
        &self.os
    }

    /// Reads the clock of its machine.
    pub fn now(&self) -> Instant {
        self.os.now()
    }

    /// The margin, learned from all waits except the last.
    pub fn margin(&self) -> &Margin {
        &self.margin
    }

    /// Releases what it [holds of the system](Self#what-it-holds-of-the-system), until the next wait.
    /// Use it when a loop pauses. The sleeper keeps what it has learned.
    pub fn pause(&mut self) {
        self.precision = None;
    }

    /// Leaves the time since the last wait out of the processor budget. Use it after a pause, so that
    /// the loop does not spend the budget of the pause.
    pub fn resume(&mut self) {
        let now = self.os.now();
        self.learn_pending(now);
        self.last_end = self.last_end.and(Some(now));
    }

    /// Sleeps for a duration, measured from this call.
    pub fn sleep(&mut self, duration: Duration) -> Wake {
        let deadline = self.os.now() + duration;
        self.sleep_until(deadline)
    }

    /// Sleeps until a deadline. If it has already passed, the call only reads the clock.
    pub fn sleep_until(&mut self, deadline: Instant) -> Wake {
        self.sleep_within(deadline)
    }

    /// Sleeps until an instant within a window of time. The system chooses the instant, so that it
    /// can end several waits with one wake-up.
    ///
    /// The system is asked to wake this thread a [margin](Sleeper::margin) before the window ends. If
    /// the thread wakes before the window begins, it spins until then. A window that is at least as
    /// wide as the margin needs no spin.
    ///
    /// ```
    /// use punctual::{Native, Os, Sleeper, Window};
    /// use std::time::Duration;
    ///
    /// let deadline = Native::new().now() + Duration::from_millis(1);
    /// let window = Window::tolerating(deadline, Duration::from_millis(5));
    /// let wake = Sleeper::new().sleep_within(window);
    /// assert!(wake.woke >= deadline && wake.spun.is_zero());
    /// ```
    pub fn sleep_within(&mut self, window: impl Into<Window>) -> Wake {
        match self.sleep_on(window.into(), Instant::ZERO, None) {
            Ok(wake) => wake,
            Err(Cancelled) => unreachable!("nothing was given a way to cancel it"),
        }
    }

    /// Like [`sleep`](Self::sleep), but can be cancelled.
    ///
    /// # Errors
    /// [`Cancelled`], as for [`sleep_until_unless`](Self::sleep_until_unless).
    pub fn sleep_unless(
        &mut self,
        duration: Duration,
        cancel: &Cancel<O>,
    ) -> Result<Wake, Cancelled> {
        let deadline = self.os.now() + duration;
        self.sleep_until_unless(deadline, cancel)
    }

    /// Like [`sleep_until`](Self::sleep_until), but can be cancelled.
    ///
    /// Cancelling ends the system's wait at once. A spin that has begun is finished, so a wait that
    /// is cancelled within a margin of its deadline may complete instead.
    ///
    /// # Errors
    /// [`Cancelled`] if `cancel` was cancelled before or during the wait, and the deadline had not
    /// come.
    pub fn sleep_until_unless(
        &mut self,
        deadline: Instant,
        cancel: &Cancel<O>,
    ) -> Result<Wake, Cancelled> {
        self.sleep_on(deadline.into(), Instant::ZERO, Some(cancel.bell()))
    }

    /// Like [`sleep`](Self::sleep), but a notification ends it.
    ///
    /// # Errors
    /// [`Notified`], as for [`sleep_until_or_notified`](Self::sleep_until_or_notified).
    pub fn sleep_or_notified(
        &mut self,
        duration: Duration,
        notify: &Notify<O>,
    ) -> Result<Wake, Notified> {
        let deadline = self.os.now() + duration;
        self.sleep_until_or_notified(deadline, notify)
    }

    /// Like [`sleep_until`](Self::sleep_until), but a notification ends it. Use it in a thread that
    /// waits for work or for a time, whichever comes first.
    ///
    /// The wait consumes the notification that ends it. A notification that comes after the deadline
    /// or after the beginning of the spin ends the next wait.
    ///
    /// ```
    /// use punctual::{Instant, Notified, Notify, Sleeper};
    /// use std::sync::mpsc;
    ///
    /// let (sender, receiver) = mpsc::channel();
    /// let notify = Notify::new();
    /// let notifier = notify.clone();
    /// let worker = std::thread::spawn(move || {
    ///     sender.send("work").unwrap();
    ///     notifier.notify();
    /// });
    /// let mut sleeper = Sleeper::new();
    /// let ended = sleeper.sleep_until_or_notified(Instant::MAX, &notify);
    /// assert_eq!(ended, Err(Notified));
    /// assert_eq!(receiver.try_recv(), Ok("work"));
    /// # worker.join().unwrap();
    /// ```
    ///
    /// # Errors
    /// [`Notified`] if a notification came, since the last wait that one ended, and the deadline had
    /// not come.
    pub fn sleep_until_or_notified(
        &mut self,
        deadline: Instant,
        notify: &Notify<O>,
    ) -> Result<Wake, Notified> {
        self.sleep_on(deadline.into(), Instant::ZERO, Some(notify.bell()))
            .map_err(|Cancelled| {
                // Last of all: what comes from here on is for the next wait, and what came before
                // the caller sees.
                notify.use_up();
                Notified
            })
    }
}

/// The last wait is paid for, too.
impl<O: Os> Drop for Sleeper<O> {
    fn drop(&mut self) {
        if let Some(ended) = self.last_end {
            self.learn_pending(ended);
        }
    }
}

impl<O: Os> fmt::Debug for Sleeper<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sleeper")
            .field("margin", &self.margin)
            .finish_non_exhaustive()
    }
}
