//! One precise sleep at a time: the operating system's wait for most of it, a short spin for the
//! rest.

use crate::cancel::{Cancel, Cancelled};
use crate::margin::{Budget, LateRate, Margin, Observation};
use crate::os::{Native, Os, Spin, Woken};
use crate::timers::Window;
use crate::{Arrival, Instant};
use std::fmt;
use std::time::Duration;

/// Sleeps until a deadline, never less, and for as little longer as its [`Margin`] allows.
///
/// It learns from every wait how late this system wakes this thread, so keep one for as long as the
/// thread that uses it, and do not share one between threads.
///
/// # What it holds of the system
///
/// On a Windows without high-resolution timers (before Windows 10 version 1803) waits end with timer
/// interrupts, and only a request makes those frequent. A sleeper asks when its first short wait
/// begins, and keeps asking between its waits, because a loop that asked anew each time would begin
/// every wait with an interrupt that comes late. It stops when it is dropped, when it is
/// [paused](Self::pause), and when it is asked for a wait so long that asking at its end will do
/// (two interrupts of the default 15.6 ms). A [coarse](Self::coarse) sleeper never starts. So drop
/// or pause a sleeper that will not be used for a while: it would cost power, and on the whole
/// machine. On all other systems it holds nothing.
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
    /// Where the last wait ended: the processor budget is a share of the time since.
    last_end: Option<Instant>,
    /// What the last wait taught, digested when the next one begins: between a deadline and the
    /// caller's work not a nanosecond is spent on learning.
    lesson: Option<Lesson>,
    /// Held from the first short wait on.
    precision: Option<O::Precision>,
    /// The longest wait that is short in this sense.
    precision_within: Duration,
    /// Never rung: what a wait that nobody can cancel waits on.
    silent_bell: O::Bell,
}

/// What is known of a wait when its spin begins. Written down before the spin, so that the memory it
/// goes to is in the cache by the time the spin has ended.
struct Lesson {
    wait: Duration,
    latency: Option<Duration>,
    /// Where the spin began.
    rested: Instant,
    /// Where the wait before ended.
    previous_end: Instant,
}

/// What happened in a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Wake {
    /// When it should have ended; of a wait within a window, when that began.
    pub deadline: Instant,
    /// When it did: the reading of the clock that ended it, never before the deadline.
    pub woke: Instant,
    /// Time spent in the system's wait.
    pub slept: Duration,
    /// Time spent spinning.
    pub spun: Duration,
}

impl Wake {
    /// How late the wait ended: from its deadline until it woke, whatever was tolerated.
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
    /// waits end late, and at most 5 % of the time is spun.
    ///
    /// # Panics
    /// On systems that are not supported yet; see [`Native::new`].
    pub fn new() -> Self {
        Self::on(Native::new())
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
        let precision_within = os.precision_within();
        Self {
            os,
            precision: None,
            precision_within,
            margin: Margin::default(),
            last_end: None,
            lesson: None,
            silent_bell,
        }
    }

    /// States both wishes: how often a wait may end late, and how much of the time may be spun.
    #[must_use]
    pub fn aiming_at(self, late_rate: LateRate, budget: Budget) -> Self {
        self.with_margin(Margin::new(late_rate, budget))
    }

    /// Never spins: every wait ends as late as the system ends it.
    #[must_use]
    pub fn coarse(self) -> Self {
        self.with_margin(Margin::coarse())
    }

    /// Spins for as long as precision needs, whatever it costs.
    #[must_use]
    pub fn exact(self) -> Self {
        self.with_margin(Margin::exact())
    }

    /// Replaces the margin, and with it all that was learned.
    #[must_use]
    pub fn with_margin(mut self, margin: Margin) -> Self {
        self.margin = margin;
        self.lesson = None;
        self
    }

    /// The machine it sleeps on.
    pub fn os(&self) -> &O {
        &self.os
    }

    /// Looks at the clock it sleeps by.
    pub fn now(&self) -> Instant {
        self.os.now()
    }

    /// What it has learned from all waits but the last.
    pub fn margin(&self) -> &Margin {
        &self.margin
    }

    /// Gives back what it [holds of the system](Self#what-it-holds-of-the-system), until the next
    /// wait: for a loop that pauses. What was learned stays.
    pub fn pause(&mut self) {
        self.precision = None;
    }

    /// Leaves the time since the last wait out of the account for the processor budget: for a loop
    /// that was paused, and should not spend afterwards what it did not use meanwhile.
    pub fn resume(&mut self) {
        self.digest();
        self.last_end = self.last_end.and(Some(self.os.now()));
    }

    /// Sleeps for a while, measured from this call.
    pub fn sleep(&mut self, duration: Duration) -> Wake {
        let deadline = self.os.now() + duration;
        self.sleep_until(deadline)
    }

    /// Sleeps until a deadline. One that has passed costs a look at the clock and no system call.
    pub fn sleep_until(&mut self, deadline: Instant) -> Wake {
        self.sleep_within(deadline)
    }

    /// Sleeps until some instant of a window, whichever suits the system: it may end the wait
    /// together with others of its own. The system is asked to wake this thread a
    /// [margin](Sleeper::margin) before the window ends; what is left then until it begins is spun,
    /// which is nothing if it is at least as wide as the margin.
    ///
    /// ```
    /// use punctual::{timers::Window, Native, Os, Sleeper};
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
            Err(Cancelled) => unreachable!("nobody was given a way to cancel it"),
        }
    }

    /// As [`sleep`](Self::sleep), unless it is cancelled.
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

    /// As [`sleep_until`](Self::sleep_until), unless it is cancelled.
    ///
    /// Cancelling ends the system's wait at once. A spin that has begun is finished, so a wait
    /// cancelled within a margin of its deadline may complete instead.
    ///
    /// # Errors
    /// [`Cancelled`] if it was, before or during the wait, and the deadline had not come.
    pub fn sleep_until_unless(
        &mut self,
        deadline: Instant,
        cancel: &Cancel<O>,
    ) -> Result<Wake, Cancelled> {
        self.sleep_on(deadline.into(), Instant::ZERO, Some(cancel.bell()))
    }

    /// Sleeps within a window unless the bell, if there is one, is rung. The system is not to end
    /// the wait before `rather`, as far as the window leaves room for that, and as far as the system
    /// needs no arrangements to be that precise.
    pub(crate) fn sleep_on(
        &mut self,
        window: Window,
        rather: Instant,
        bell: Option<&O::Bell>,
    ) -> Result<Wake, Cancelled> {
        let (deadline, latest) = (window.earliest(), window.latest());
        let began = self.os.now();
        if began >= deadline {
            return Ok(Wake {
                deadline,
                woke: began,
                slept: Duration::ZERO,
                spun: Duration::ZERO,
            });
        }
        self.digest();
        let wait = latest.duration_since(began);
        self.hold_precision(wait);
        let alarm = latest - self.margin.before(wait);
        let from = if self.precision_within.is_zero() {
            rather.max(deadline)
        } else {
            deadline
        };
        let rested = self.system_wait(began, from, alarm, bell);
        let cancelled = rested < deadline && bell.is_some_and(|bell| self.os.is_rung(bell));
        // A wait that the system ended with another, before it had to, teaches nothing.
        let taught = alarm > began && rested >= alarm && !cancelled;
        self.lesson = Some(Lesson {
            wait,
            latency: taught.then(|| rested.duration_since(alarm)),
            rested,
            previous_end: self.last_end.unwrap_or(began),
        });
        if cancelled {
            self.last_end = Some(rested);
            return Err(Cancelled);
        }
        let woke = if rested < deadline {
            self.os.spin_until(deadline, Spin::Pause)
        } else {
            rested
        };
        self.last_end = Some(woke);
        Ok(Wake {
            deadline,
            woke,
            slept: rested.duration_since(began),
            spun: woke.duration_since(rested),
        })
    }

    /// Takes hold of precision for a wait that gains by it, and keeps it for the next; or lets go.
    fn hold_precision(&mut self, wait: Duration) {
        if wait > self.precision_within || self.margin.is_coarse() {
            self.precision = None;
        } else if self.precision.is_none() {
            self.precision = Some(self.os.precision());
        }
    }

    /// Waits until some instant from `from` to the alarm, whichever suits the system, or until the
    /// alarm if that comes first, or until the bell is rung. Returns when that was.
    fn system_wait(
        &self,
        began: Instant,
        from: Instant,
        alarm: Instant,
        bell: Option<&O::Bell>,
    ) -> Instant {
        let bell = bell.unwrap_or(&self.silent_bell);
        let (until, tolerance) = (alarm.min(from), alarm.duration_since(from));
        let mut now = began;
        while now < until {
            let woken = self.os.wait(Some(until), tolerance, bell);
            now = self.os.now();
            if woken == Woken::ByBell {
                break;
            }
        }
        now
    }

    fn digest(&mut self) {
        if let (Some(lesson), Some(ended)) = (self.lesson.take(), self.last_end) {
            self.margin.learn(Observation {
                wait: lesson.wait,
                latency: lesson.latency,
                spun: ended.duration_since(lesson.rested),
                elapsed: ended.duration_since(lesson.previous_end),
            });
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
