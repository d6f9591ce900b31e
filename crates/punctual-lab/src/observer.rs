//! Who follows an experiment while it is made.

use crate::machine::Unavailable;
use punctual::Instant;
use std::time::Duration;

/// Gets a series of each way of waiting that takes part.
pub trait Observer<S> {
    /// It begins, with the ways of waiting there are, in order, and those there are not.
    fn begins(&mut self, names: Vec<String>, unavailable: Vec<Unavailable>);

    /// A wait for this deadline begins, one of the warm-up perhaps. Whoever listens must be quick:
    /// what passes here passes between measured waits.
    fn waits(&mut self, deadline: Instant) {
        let _ = deadline;
    }

    /// That wait has ended, at this instant, and for so long the thread was ready in it and did not
    /// run, where the system tells.
    fn woke(&mut self, woke: Instant, queued: Option<Duration>) {
        let _ = (woke, queued);
    }

    /// A part is over: the series so far of the one at `index`, and how many steps are done of all
    /// that there are, the warm-up included.
    fn block(&mut self, index: usize, series: &S, done: u64);

    /// Whether to stop; asked after every wait.
    fn stops(&self) -> bool;
}
