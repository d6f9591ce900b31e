//! Observers of a running experiment.

use crate::machine::Unavailable;
use punctual::Instant;
use std::time::Duration;

/// Receives the series of each way of waiting that takes part.
pub trait Observer<S> {
    /// The experiment begins. Gets the ways of waiting that take part, in order, and those that are
    /// missing.
    fn begins(&mut self, names: Vec<String>, unavailable: Vec<Unavailable>);

    /// A wait for this deadline begins; it may belong to the warm-up. This must be quick, because
    /// it runs between measured waits.
    fn waits(&mut self, deadline: Instant) {
        let _ = deadline;
    }

    /// That wait has ended, at this instant. The time for which the thread was ready but not
    /// running is given if the system tells it.
    fn woke(&mut self, woke: Instant, queued: Option<Duration>) {
        let _ = (woke, queued);
    }

    /// A part is over. Gets the series so far of the one at `index`, and how many of all steps are
    /// done, with the warm-up.
    fn block(&mut self, index: usize, series: &S, done: u64);

    /// The interval of the machine's timer at the end of a run in which a condition was varied, if it is known.
    fn interval(&mut self, interval_ns: Option<u64>) {
        let _ = interval_ns;
    }

    /// Whether to stop. This is called after every wait.
    fn stops(&self) -> bool;
}
