//! A way of waiting, and how a machine offers it.

use punctual::margin::{Budget, LateRate};
use punctual::os::Slice;
use punctual::{Error, Instant, Period};

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
