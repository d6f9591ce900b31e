//! What an experiment needs of a machine.

mod clock;
mod finding;
mod request;
mod way;

pub use clock::{Clock, Counts, Reader};
pub use finding::{Finding, Matter, Refused, Remedy, State};
pub(crate) use request::{NANOS_PER_UNIT, Request};
pub use way::{Keeping, Way};

use crate::Environment;
use crate::conditions::{self, Companion, Standing};
use punctual::margin::{Budget, LateRate};
use punctual::os::windows::WindowsOs;
use punctual::os::{Scheduling, Slice, Spin};
use punctual::{Error, Instant, Period};
use punctual_windows::os::windows::Win32Lab;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The time between two ticks of a kernel that ticks 100 times a second, the slowest that Linux has.
const TICK: Duration = Duration::from_millis(10);

/// An operating system, its ways of waiting, and the facts about it.
pub trait Machine: Scheduling {
    /// Whether processes can request a timer interval, as on Windows.
    const HAS_INTERVAL: bool = false;

    /// Whether [`tune`](Self::tune) can work here.
    const CAN_BE_TUNED: bool = false;

    /// Whether a thread can have a slice of its own, as on Linux from version 6.12 on.
    const HAS_SLICES: bool = false;

    /// The ways of waiting, in display order. The list includes those that this system lacks:
    /// making one of them fails with the reason.
    fn methods() -> Vec<Offer<Self>>;

    /// The way of waiting of this name, if there is one that is not listed.
    fn unlisted_method(name: &str) -> Option<Offer<Self>> {
        let _ = name;
        None
    }

    /// The ways to keep a beat, in display order.
    fn ways() -> Vec<Way<Self>>;

    /// The way of this name, if there is one that is not listed.
    fn unlisted_way(name: &str) -> Option<Way<Self>> {
        let _ = name;
        None
    }

    /// The calls that wait for some length, in display order.
    fn calls() -> Vec<CallOffer<Self>>;

    /// The call of this name, if there is one. It need not be listed.
    fn call_named(name: &str) -> Option<CallOffer<Self>> {
        Self::calls().into_iter().find(|call| call.name == name)
    }

    /// The clocks, in display order. The first is the one that [`now`](punctual::Os::now) reads.
    fn clocks() -> Vec<Clock<Self>>;

    /// Keeps the processor busy for this long, as a program that computes does.
    fn work(&self, duration: Duration) {
        self.spin_until(self.now() + duration, Spin::Pause);
    }

    /// The method, with a request of this process for a timer interval in each of its turns.
    ///
    /// # Errors
    /// [Unsupported](Error::is_unsupported) if the system has no timer interval to request.
    fn requested(
        &self,
        method: Box<dyn Method>,
        interval: Duration,
    ) -> Result<Box<dyn Method>, Error> {
        let _ = (method, interval);
        Err(Error::unsupported(
            "this system has no timer interval to request",
        ))
    }

    /// The longest time until a request for a timer interval takes effect. Zero if there is no
    /// interval to request.
    fn request_delay(&self) -> Duration {
        Duration::ZERO
    }

    /// The longest time between two ticks of the machine's timer. Ten milliseconds where
    /// [`await_tick`](Self::await_tick) knows nothing better.
    fn longest_interval(&self) -> Duration {
        TICK
    }

    /// Waits until the machine's timer has just ticked. On Windows that is the end of an ordinary
    /// wait, and a wait that ends late ends late here, too. Elsewhere waits end at ticks of their
    /// own, and this waits until the clock is at a whole multiple of ten milliseconds, where the
    /// slowest tick of Linux is.
    fn await_tick(&self) {
        let since = self.now().duration_since(Instant::ZERO).as_nanos() % TICK.as_nanos();
        let past = Duration::from_nanos(u64::try_from(since).unwrap_or_default());
        self.spin_until(self.now() + (TICK - past), Spin::Pause);
    }

    /// Keeps the processors out of deep sleep and the memory in place, because both make waits
    /// late.
    ///
    /// # Errors
    /// [Not permitted](Error::is_not_permitted), with the remedy that would permit it;
    /// [unsupported](Error::is_unsupported) if the system has nothing to tune.
    fn tune(&self) -> Result<Box<dyn Tuning>, Refused> {
        Err(Error::unsupported("this system has nothing to tune").into())
    }

    /// Lets the system end the calling thread's waits up to this much later than requested.
    ///
    /// # Errors
    /// [Unsupported](Error::is_unsupported) if threads have no timer slack.
    fn slacken(&self, slack: Duration) -> Result<Box<dyn Tuning>, Error> {
        let _ = slack;
        Err(Error::unsupported("this system has no timer slack"))
    }

    /// Checks that this machine can have such a companion.
    ///
    /// # Errors
    /// The reason, if it cannot.
    fn offers(companion: &Companion) -> Result<(), Error> {
        Err(Error::unsupported(format!(
            "this machine runs only one program, so it cannot have {companion}"
        )))
    }

    /// Checks that the waiting process can stand so with this machine.
    ///
    /// # Errors
    /// The reason, if it cannot.
    fn allows(standing: &Standing) -> Result<(), Error> {
        conditions::standing::as_process(*standing, Self::HAS_INTERVAL)
    }

    /// The current facts on which a measurement depends, for the calling thread.
    fn environment(&self) -> Environment;

    /// What it permits a program that waits, apart from the methods. May try things and undo them.
    fn findings(&self) -> Vec<Finding> {
        Vec::new()
    }

    /// What would permit a method that could not be made.
    fn remedy_for_method(name: &str, error: &Error) -> Option<Remedy> {
        let _ = (name, error);
        None
    }

    /// The processor on which the calling thread runs, if the system tells it cheaply.
    fn processor(&self) -> Option<usize> {
        None
    }

    /// Whether the calling thread may run on this processor and on no other. `None` if the system does not
    /// tell.
    fn is_kept_to(&self, processor: usize) -> Option<bool> {
        let _ = processor;
        None
    }

    /// Accounts of the calling thread's time.
    fn thread_times(&self) -> Box<dyn ThreadTimes>;
}

/// The system's accounts of one thread's time. Their zero is arbitrary: only differences have a
/// meaning.
pub trait ThreadTimes {
    /// Time for which the thread had a processor.
    fn processor(&self) -> Duration;

    /// Time for which the thread was ready but not running. `None` if the system does not tell it.
    fn queue(&self) -> Option<Duration>;
}

/// A change of the machine or of the calling thread. It is undone when this is dropped.
pub trait Tuning {}

// What a machine lacks.

/// Something that was requested and that the machine lacks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unavailable {
    /// Its name.
    pub name: String,
    /// Why it could not be tried.
    pub reason: String,
}

// Code that runs on any Windows, real or simulated.

/// Something to do on a Windows, real or simulated.
pub trait OnWindows {
    /// The result.
    type Output;

    /// Does it.
    fn on<W: Win32Lab>(self, os: &WindowsOs<W>) -> Self::Output;
}

// A way of waiting, and how a machine offers it.

/// A way of waiting for a deadline.
pub trait Method {
    /// A turn begins, after a pause in which other methods had their turns. A method that accounts
    /// for time leaves the pause out.
    fn begin_turn(&mut self) {}

    /// A turn ends. A periodic method stops, so that it does not disturb the others.
    fn end_turn(&mut self) {}

    /// Waits, and returns the first reading of the machine's clock after the wait. If the system
    /// ends the wait early, the method returns early: the experiment counts that.
    fn wait_until(&mut self, deadline: Instant) -> Instant;
}

/// A method that a machine offers: its name, and a function that makes one.
pub struct Offer<M> {
    /// The name in flags, tables and recordings.
    pub name: &'static str,
    /// A description in one line, of at most 51 characters.
    pub summary: &'static str,
    /// Whether the thread's timer slack or leeway delays it.
    pub slack_applies: bool,
    /// Makes one for the calling thread. No other thread may use it.
    pub make: Make<M>,
}

/// Makes a method. Fails with the reason if this machine cannot.
pub type Make<M> = fn(&M, Wishes) -> Result<Box<dyn Method>, Error>;

/// Settings for the methods that have such settings.
#[derive(Debug, Clone, Copy)]
pub struct Wishes {
    /// The name that was asked for. Several methods can have one maker, which tells them apart by it.
    pub name: &'static str,
    /// The time between deadlines, for periodic methods.
    pub period: Period,
    /// The share of waits that may end late.
    pub late_rate: LateRate,
    /// The share of time that may be spent spinning.
    pub budget: Budget,
    /// What a sleeper does with the thread's slice.
    pub slice: Slice,
}

impl Wishes {
    /// This period, and nothing else in particular.
    pub fn of(period: Period) -> Self {
        Self {
            name: "",
            period,
            late_rate: LateRate::default(),
            budget: Budget::default(),
            slice: Slice::default(),
        }
    }
}

// A bare wait of some length, and how a machine offers it.

/// A wait of some length that begins now. A loop that keeps deadlines is built of such waits; this
/// is one alone.
pub trait Call {
    /// Waits for this long, as the system sees it: the wait may end late, or early.
    ///
    /// # Errors
    /// If the system refuses to wait.
    fn call(&mut self, duration: Duration) -> Result<(), Error>;

    /// The last wait for now is over. What the call holds between waits ends, so that it does not
    /// disturb others.
    fn end(&mut self) {}
}

/// A call that a machine offers.
pub struct CallOffer<M> {
    /// The name in flags, tables and recordings.
    pub name: &'static str,
    /// A description in one line, of at most 51 characters.
    pub summary: &'static str,
    /// The unit in which the call takes lengths. A length that is no whole number of units is
    /// rounded up before the call.
    pub unit: Duration,
    /// Makes it for the calling thread. No other thread may use it.
    pub make: MakeCall<M>,
}

/// Makes a call. Fails with the reason if this machine cannot.
pub type MakeCall<M> = Box<dyn Fn(&M) -> Result<Box<dyn Call>, Error>>;

impl<M> CallOffer<M> {
    /// The length that the system is asked for: whole units.
    pub fn asked(&self, length: Duration) -> Duration {
        let unit = self.unit.as_nanos().max(1);
        let nanos = length.as_nanos().div_ceil(unit).saturating_mul(unit);
        Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_is_rounded_up_to_whole_units() {
        let asked = |unit, length| {
            let offer = CallOffer::<()> {
                name: "",
                summary: "",
                unit: Duration::from_nanos(unit),
                make: Box::new(|()| Err(Error::unsupported(""))),
            };
            offer.asked(Duration::from_nanos(length)).as_nanos()
        };
        assert_eq!(asked(1_000_000, 0), 0);
        assert_eq!(asked(1_000_000, 1), 1_000_000);
        assert_eq!(asked(1_000_000, 15_000_000), 15_000_000);
        assert_eq!(asked(100, 499_901), 500_000);
        assert_eq!(asked(1, 7), 7);
    }
}
