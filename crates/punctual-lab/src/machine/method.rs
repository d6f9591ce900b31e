//! A way of waiting, and how a machine offers it.

use punctual::margin::{Budget, LateRate};
use punctual::{Error, Instant, Period};

/// A way of waiting for a deadline.
pub trait Method {
    /// A turn begins, after a pause in which other methods had theirs. A method that accounts for
    /// time leaves the pause out.
    fn begin_turn(&mut self) {}

    /// A turn ends. A method that goes off by itself stops, so as not to disturb the others.
    fn end_turn(&mut self) {}

    /// Waits, and returns the first reading of the machine's clock after the wait had ended. What
    /// the system ends early is returned early: finding that out is the experiment's job.
    fn wait_until(&mut self, deadline: Instant) -> Instant;
}

/// A method that a machine offers: its name, and how to make one.
pub struct Offer<M> {
    /// The name it has in flags, tables and recordings.
    pub name: &'static str,
    /// What it is, in a line.
    pub summary: &'static str,
    /// Whether the thread's timer slack (or its like) delays it.
    pub slack_applies: bool,
    /// Makes one for the calling thread, which alone may use it.
    pub make: Make<M>,
}

/// Makes a method, or says why this machine cannot.
pub type Make<M> = fn(&M, Wishes) -> Result<Box<dyn Method>, Error>;

/// What the caller wants of methods that can be asked.
#[derive(Debug, Clone, Copy)]
pub struct Wishes {
    /// The time between the deadlines to come, for methods that go off by themselves.
    pub period: Period,
    /// The share of waits that may end late.
    pub late_rate: LateRate,
    /// The share of time that may be spent spinning.
    pub budget: Budget,
}
