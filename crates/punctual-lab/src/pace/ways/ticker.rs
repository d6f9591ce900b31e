//! Punctual's own loop.

use crate::machine::Method;
use punctual::{Instant, Os, Period, Sleeper, Ticker};

/// A [`Ticker`] that starts with the turn.
pub(crate) fn ticker<O: Os>(sleeper: Sleeper<O>, period: Period) -> Box<dyn Method> {
    let os = sleeper.os().clone();
    Box::new(Ticking {
        ticker: Ticker::with_sleeper(sleeper, period),
        os,
    })
}

struct Ticking<O: Os> {
    ticker: Ticker<O>,
    os: O,
}

impl<O: Os> Method for Ticking<O> {
    /// It has its own schedule, so it does not use the deadline.
    fn wait_until(&mut self, _: Instant) -> Instant {
        // It ends only with 64-bit time, and the loop around it ends then, too.
        self.ticker
            .tick()
            .map_or_else(|_| self.os.now(), |tick| tick.woke)
    }
}
