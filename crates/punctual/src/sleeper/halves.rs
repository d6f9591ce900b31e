//! A wait in two halves, for programs that give up a lock while the system waits.

use super::wait::PendingObservation;
use super::{Sleeper, Wake};
use crate::Instant;
use crate::Window;
use crate::cancel::Cancel;
use crate::ended::Ended;
use crate::margin::Meeting;
use crate::os::{Native, Os, Woken};
use std::fmt;
use std::time::Duration;

/// A wait whose halves its caller calls: the system's wait ([`rest`](Self::rest)), then the spin
/// ([`finish`](Self::finish)). [`Sleeper::begin`] makes one.
///
/// It is for programs that hold a lock while they run, such as the lock of an interpreter, and leave
/// it to other threads while they wait. They take it back between the halves, and spin while they hold
/// it. So the wait ends when the program can go on, and its lateness is the program's. The time that
/// the lock took is [`Wake::regained`]. The margin is not told about it: spinning for longer does not
/// make a lock come sooner. To ask for it earlier does, which is what [`rest`](Self::rest)'s `lead` is
/// for.
///
/// A wait that is dropped before it is finished ends there.
///
/// ```
/// use punctual::{Rest, Sleeper};
/// use std::sync::Mutex;
/// use std::time::Duration;
///
/// let interpreter = Mutex::new(());
/// let held = interpreter.lock().unwrap();
///
/// let mut sleeper = Sleeper::new();
/// let deadline = sleeper.now() + Duration::from_millis(2);
/// let mut wait = sleeper.begin(deadline);
/// drop(held);
/// while wait.rest(Duration::ZERO, None) == Rest::Interrupted {}
/// let held = interpreter.lock().unwrap();
/// let wake = wait.finish();
/// assert!(wake.woke >= deadline);
/// println!("had the lock back after {:?}, {:?} late", wake.regained, wake.lateness());
/// # drop(held);
/// ```
#[must_use = "it waits when its halves are called"]
pub struct Wait<'a, O: Os = Native> {
    sleeper: &'a mut Sleeper<O>,
    window: Window,
    began: Instant,
    /// Where the last of the system's waits ended.
    rested: Instant,
    /// How long that was after the instant asked for.
    latency: Option<Duration>,
    meeting: Meeting,
}

/// How the system's wait ended: the result of [`Wait::rest`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Rest {
    /// Time ended it. Take the lock back, and [finish](Wait::finish) the wait.
    Ended,
    /// Something else ended it, such as a signal. There is time left: see to what happened, and rest
    /// again.
    Interrupted,
    /// It was cancelled, and there is time left. Drop the wait.
    Cancelled,
}

/// What a signal does to a wait in which its thread handles it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signals {
    /// Nothing: the wait goes on to its deadline.
    GoOn,
    /// The wait ends, and [says so](crate::Ended::Interrupted).
    EndIt,
}

impl<O: Os> Sleeper<O> {
    /// Begins a wait within a window, or until a deadline, whose halves the caller calls. [`Wait`] says
    /// what for.
    pub fn begin(&mut self, window: impl Into<Window>) -> Wait<'_, O> {
        let window = window.into();
        let began = self.os.now();
        if began < window.earliest() {
            self.learn_pending(began);
            self.hold_precision(window.latest().duration_since(began));
        }
        Wait {
            sleeper: self,
            window,
            began,
            rested: began,
            latency: None,
            meeting: Meeting::default(),
        }
    }
}

impl<O: Os> Wait<'_, O> {
    /// The window within which it ends; for a deadline, an empty one.
    pub fn window(&self) -> Window {
        self.window
    }

    /// Reads the clock of its machine.
    pub fn now(&self) -> Instant {
        self.sleeper.now()
    }

    /// How long before the window ends the system is asked to wake this thread, without any lead.
    pub fn margin(&self) -> Duration {
        self.sleeper.margin.before(self.length())
    }

    /// Lets the system wait, until a [margin](Self::margin) and the lead before the window ends. The
    /// lead is the time in which the caller gets its lock back. If that instant has passed, the call
    /// returns at once.
    ///
    /// It can be called again: after an interruption, and with a shorter lead if the lock came sooner
    /// than expected. `unless` ends it from another thread.
    pub fn rest(&mut self, lead: Duration, unless: Option<&Cancel<O>>) -> Rest {
        self.rest_unless(lead, Signals::GoOn, unless).0
    }

    /// Both halves, one after the other, for a caller that has no lock to leave. A signal goes by, or ends it, as
    /// `signals` says.
    ///
    /// A signal that comes before the system's wait begins does not end it, and nor does one that comes in the last
    /// [margin](Self::margin) before the deadline. [`Os::wait_or_signal`] says on which systems one can.
    ///
    /// ```
    /// use punctual::{Ended, Signals, Sleeper};
    /// use std::time::Duration;
    ///
    /// let mut sleeper = Sleeper::new();
    /// let deadline = sleeper.now() + Duration::from_millis(2);
    /// match sleeper.begin(deadline).sleep(Signals::EndIt, None) {
    ///     Ok(wake) => assert!(wake.woke >= deadline),
    ///     Err(Ended::Interrupted { remaining }) => println!("a signal came {remaining:?} before the deadline"),
    ///     Err(ended) => panic!("{ended}"),
    /// }
    /// ```
    ///
    /// # Errors
    /// [`Ended::Cancelled`] if `unless` was cancelled before the deadline, and [`Ended::Interrupted`] if a signal came.
    #[inline(always)]
    pub fn sleep(mut self, signals: Signals, unless: Option<&Cancel<O>>) -> Result<Wake, Ended> {
        loop {
            match self.rest_unless(Duration::ZERO, signals, unless) {
                (Rest::Ended, _) => break,
                (Rest::Cancelled, _) => return Err(Ended::Cancelled),
                (Rest::Interrupted, Woken::BySignal) if signals == Signals::EndIt => {
                    let remaining = self.window.earliest().duration_since(self.rested);
                    return Err(Ended::Interrupted { remaining });
                }
                (Rest::Interrupted, _) => {}
            }
        }
        Ok(self.finish())
    }

    /// Lets the system wait, and returns what ended its call.
    fn rest_unless(
        &mut self,
        lead: Duration,
        signals: Signals,
        unless: Option<&Cancel<O>>,
    ) -> (Rest, Woken) {
        let os = &self.sleeper.os;
        let deadline = self.window.earliest();
        let alarm = self.window.latest() - self.margin() - lead;
        let (until, tolerance) = (alarm.min(deadline), alarm.duration_since(deadline));
        if os.now() >= until {
            let is_cancelled = unless.is_some_and(Cancel::is_cancelled) && os.now() < deadline;
            let rest = if is_cancelled {
                Rest::Cancelled
            } else {
                Rest::Ended
            };
            return (rest, Woken::ByTime);
        }
        let bell = unless.map_or(&self.sleeper.silent_bell, Cancel::bell);
        let woken = match signals {
            Signals::GoOn => os.wait(Some(until), tolerance, bell),
            Signals::EndIt => os.wait_or_signal(until, tolerance, bell),
        };
        self.rested = os.now();
        let rung = self.rested < deadline && self.sleeper.was_rung(woken, Some(bell));
        // A wait that ended with another, before it had to, teaches nothing.
        let taught = self.rested >= alarm && !rung;
        self.latency = taught.then(|| self.rested.duration_since(alarm));
        self.meeting = self.sleeper.meet(alarm);
        let rest = if rung {
            Rest::Cancelled
        } else if self.rested < until {
            Rest::Interrupted
        } else {
            Rest::Ended
        };
        (rest, woken)
    }

    /// Spins until the deadline, if it has not come, and returns how the wait went. Call it when the
    /// lock is held again.
    // Inlined, so that between the spin and its caller there is one return, as few as in a whole wait: each
    // is a page of code that has left the caches meanwhile.
    #[inline(always)]
    pub fn finish(self) -> Wake {
        let (sleeper, deadline) = (self.sleeper, self.window.earliest());
        let regained = sleeper.os.now();
        if self.began >= deadline {
            return Wake::without_wait(deadline, regained);
        }
        sleeper.pending = Some(PendingObservation {
            wait: self.window.latest().duration_since(self.began),
            window: self.window,
            latency: self.latency,
            meeting: self.meeting,
            made_late: false,
            spun_from: regained,
            previous_end: sleeper.last_end.unwrap_or(self.began),
        });
        let woke = sleeper.spin(self.meeting, regained, deadline);
        Wake {
            deadline,
            woke,
            slept: self.rested.duration_since(self.began),
            regained: regained.duration_since(self.rested),
            spun: woke.duration_since(regained),
        }
    }

    fn length(&self) -> Duration {
        self.window.latest().duration_since(self.began)
    }
}

impl<O: Os> fmt::Debug for Wait<'_, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wait")
            .field("window", &self.window)
            .field("began", &self.began)
            .finish_non_exhaustive()
    }
}
