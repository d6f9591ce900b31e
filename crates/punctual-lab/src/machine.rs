//! What an experiment needs of a machine.

mod finding;

pub use finding::{Finding, Matter, Refused, Remedy, State};

use crate::Environment;
use crate::conditions::{self, Companion, Standing};
use crate::waiters::{Kind, Waiter};
use punctual::os::windows::WindowsOs;
use punctual::os::{Scheduling, Spin};
use punctual::{Error, Instant};
use punctual_windows::os::windows::Win32Lab;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
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

    /// Whether a thread has a timer slack that it can set, as on Linux.
    const HAS_SLACK: bool = false;

    /// The ways to wait, in display order. The list includes those that this system lacks: making one of them fails with
    /// the reason.
    fn waiters() -> Vec<Waiter<Self>>;

    /// Those of them that can do this.
    fn waiters_for(kind: Kind) -> Vec<Waiter<Self>> {
        let all = Self::waiters().into_iter();
        all.filter(|waiter| waiter.make(kind).is_some()).collect()
    }

    /// The way to wait of this name, if there is one that is not listed.
    fn unlisted(name: &str) -> Option<Waiter<Self>> {
        let _ = name;
        None
    }

    /// The clocks, in display order. The first is the one that [`now`](punctual::Os::now) reads.
    fn clocks() -> Vec<Clock<Self>>;

    /// Keeps the processor busy for this long, as a program that computes does.
    fn work(&self, duration: Duration) {
        self.spin_until(self.now() + duration, Spin::Pause);
    }

    /// Requests a timer interval for this process.
    ///
    /// # Errors
    /// [Unsupported](Error::is_unsupported) if the system has no timer interval to request.
    fn request(&self, interval: Duration) -> Result<Box<dyn Tuning>, Error> {
        let _ = interval;
        Err(Error::unsupported(
            "this system has no timer interval to request",
        ))
    }

    /// The longest time until a request for a timer interval takes effect. Zero if there is no
    /// interval to request.
    fn request_delay(&self) -> Duration {
        Duration::ZERO
    }

    /// The longest time between two ticks of the machine's timer. Where there is no interval to request that is the
    /// slowest tick of Linux.
    fn longest_interval(&self) -> Duration {
        match self.request_delay() {
            Duration::ZERO => TICK,
            delay => delay,
        }
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
        conditions::as_process(*standing, Self::HAS_INTERVAL)
    }

    /// The current facts on which a measurement depends, for the calling thread.
    fn environment(&self) -> Environment;

    /// What it permits a program that waits, apart from the waiters. May try things and undo them.
    fn findings(&self) -> Vec<Finding> {
        Vec::new()
    }

    /// What would permit a waiter that could not be made.
    fn remedy_for(name: &str, error: &Error) -> Option<Remedy> {
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

/// A clock that a machine offers.
pub struct Clock<M> {
    /// The system's name for it.
    pub name: &'static str,
    /// What it measures.
    pub counts: Counts,
    /// Makes it readable. Fails with the reason if this machine cannot.
    pub make: fn(&M) -> Result<Reader, Error>,
}

/// What a clock measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counts {
    /// Time.
    Time,
    /// The processor time of the process.
    ProcessWork,
    /// The processor time of the thread that reads it.
    ThreadWork,
}

impl Counts {
    /// The word for it in recordings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::ProcessWork => "process",
            Self::ThreadWork => "thread",
        }
    }
}

/// How a clock is read.
#[derive(Clone)]
pub struct Reader {
    /// Reads it, in counts, from any thread.
    pub read: Arc<dyn Fn() -> u64 + Send + Sync>,
    /// The length of a count in nanoseconds; `None` if the system does not tell it.
    pub unit_ns: Option<f64>,
    /// The number of bits that it counts in before it wraps.
    pub bits: u32,
}

impl Reader {
    /// A clock that counts in 64 bits.
    pub(crate) fn new(unit_ns: f64, read: impl Fn() -> u64 + Send + Sync + 'static) -> Self {
        Self {
            read: Arc::new(read),
            unit_ns: Some(unit_ns),
            bits: u64::BITS,
        }
    }

    /// By how much `later` is ahead of `earlier`, across a wrap if there was one; negative if it is
    /// behind.
    pub(crate) fn ahead(&self, later: u64, earlier: u64) -> i64 {
        let spare = u64::BITS - self.bits;
        (later.wrapping_sub(earlier) << spare).cast_signed() >> spare
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrap_is_a_step_ahead() {
        let mut reader = Reader::new(1.0, || 0);
        reader.bits = u32::BITS;
        assert_eq!(reader.ahead(4, u64::from(u32::MAX) - 5), 10);
        assert_eq!(reader.ahead(u64::from(u32::MAX) - 5, 4), -10);
        reader.bits = u64::BITS;
        assert_eq!(reader.ahead(1, u64::MAX), 2);
        assert_eq!(reader.ahead(3, 4), -1);
    }
}
