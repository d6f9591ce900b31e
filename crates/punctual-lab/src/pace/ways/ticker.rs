//! Punctual's own loop.

use crate::machine::Method;
use punctual::{Instant, Os, Period, Sleeper, Ticker};

/// A [`Ticker`] that begins where the turn does.
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
    /// Its schedule is its own: the deadline is not asked of it.
    fn wait_until(&mut self, _: Instant) -> Instant {
        // It ends only with 64-bit time, and so does the loop around it.
        self.ticker
            .tick()
            .map_or_else(|_| self.os.now(), |tick| tick.woke)
    }
}
