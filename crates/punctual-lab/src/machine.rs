//! What an experiment asks of a machine.

mod clock;
mod finding;
mod method;
mod on_windows;
mod remedy;
mod request;
mod unavailable;
mod way;

pub use clock::{Clock, Counts, Reader};
pub use finding::{Finding, Matter, State};
pub use method::{Make, Method, Offer, Wishes};
pub use on_windows::OnWindows;
pub use remedy::{Refused, Remedy};
pub(crate) use request::{NANOS_PER_UNIT, Request};
pub use unavailable::Unavailable;
pub use way::{Keeping, Way};

use crate::Environment;
use crate::conditions::Companion;
use punctual::Error;
use punctual::os::{Scheduling, Spin};
use std::time::Duration;

/// An operating system, the ways of waiting it offers, and what is known about it.
pub trait Machine: Scheduling {
    /// Whether there is a timer interval that processes ask for, as on Windows.
    const HAS_INTERVAL: bool = false;

    /// Whether [`tune`](Self::tune) can be permitted here.
    const CAN_BE_TUNED: bool = false;

    /// The ways of waiting there are, in the order in which to show them. Those that this very
    /// system lacks are among them, and say so when they are made.
    fn methods() -> Vec<Offer<Self>>;

    /// The ways of keeping a beat there are, in the order in which to show them.
    fn ways() -> Vec<Way<Self>>;

    /// The clocks there are, in the order in which to show them; the first is the one that
    /// [`now`](punctual::Os::now) reads.
    fn clocks() -> Vec<Clock<Self>>;

    /// Keeps the processor for this long, as a program that computes does.
    fn work(&self, duration: Duration) {
        self.spin_until(self.now() + duration, Spin::Pause);
    }

    /// The method, while this process asks for a timer interval of its own in each of its turns.
    ///
    /// # Errors
    /// [Unsupported](Error::is_unsupported) where there is no interval to ask for.
    fn requested(
        &self,
        method: Box<dyn Method>,
        interval: Duration,
    ) -> Result<Box<dyn Method>, Error> {
        let _ = (method, interval);
        Err(Error::unsupported(
            "this system has no timer interval to ask for",
        ))
    }

    /// How long it takes at most until a request for a timer interval is in force. Zero where there
    /// is no interval to ask for.
    fn request_delay(&self) -> Duration {
        Duration::ZERO
    }

    /// Keeps the machine from whatever makes waits late and can be forbidden: sleeping so deeply
    /// that waking takes long, and giving away memory that is then missing.
    ///
    /// # Errors
    /// [Not permitted](Error::is_not_permitted), with what would permit it;
    /// [unsupported](Error::is_unsupported) where nothing of the kind can be asked for.
    fn tune(&self) -> Result<Box<dyn Tuning>, Refused> {
        Err(Error::unsupported("this system has nothing to tune").into())
    }

    /// Lets the system end the calling thread's waits so much later than asked.
    ///
    /// # Errors
    /// [Unsupported](Error::is_unsupported) where threads have no timer slack.
    fn slacken(&self, slack: Duration) -> Result<Box<dyn Tuning>, Error> {
        let _ = slack;
        Err(Error::unsupported("this system has no timer slack"))
    }

    /// Whether such a companion can be had.
    ///
    /// # Errors
    /// Says why not.
    fn offers(companion: &Companion) -> Result<(), Error> {
        Err(Error::unsupported(format!(
            "this machine runs one program, and {companion} would be another"
        )))
    }

    /// The facts that a measurement depends on, as they are now, for the calling thread.
    fn environment(&self) -> Environment;

    /// What it permits a program that waits, the methods left aside. May try things and undo them.
    fn findings(&self) -> Vec<Finding> {
        Vec::new()
    }

    /// What would let a method be made that could not, if anything would.
    fn remedy_for_method(name: &str, error: &Error) -> Option<Remedy> {
        let _ = (name, error);
        None
    }

    /// Accounts of the calling thread's time.
    fn thread_times(&self) -> Box<dyn ThreadTimes>;
}

/// The system's accounts of one thread's time, counted from wherever the system likes: only
/// differences mean something.
pub trait ThreadTimes {
    /// Time the thread has had a processor.
    fn processor(&self) -> Duration;

    /// Time the thread was ready to run and had no processor. `None` where the system does not
    /// tell.
    fn queue(&self) -> Option<Duration>;
}

/// A machine, or the thread that asked, is as was asked for as long as somebody holds this.
pub trait Tuning {}
