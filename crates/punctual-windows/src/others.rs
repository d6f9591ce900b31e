//! The class of other waits (C5): those of processes that request nothing, from version 2004 on.

use super::choices::IdleExpiry;
use super::clock::Clock;
use super::femtos::Femtos;
use core::time::Duration;
use punctual::Instant;

/// The class of all waits whose process has no request of its own. These waits end together.
///
/// At a tick the class *expires*, and all its members that are due end, if
/// - about one default interval has passed since it last expired (less the smallest interval, so
///   that a tick a hair early counts), or
/// - waiting for the next tick would end some member later than one default interval past its due
///   time.
///
/// The second condition explains a request for 8 ms, half the default interval. The waits of other
/// processes then end irregularly: if any of them is due just after an expiry, all of them end one tick
/// early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OtherWaits {
    rhythm: Rhythm,
    last_expiry: Femtos,
    /// The first tick for which this rhythm holds: by a quicker one, the class could have expired
    /// at ticks that are past.
    not_before: Femtos,
}

/// What the class goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rhythm {
    /// The default interval, or the smallest request of a driver where that takes its place (C6).
    pub default_interval: Duration,
    /// The machine's smallest interval.
    pub smallest_interval: Duration,
    /// Whether the class expires at ticks at which no member is due.
    pub idle_expiry: IdleExpiry,
}

impl Rhythm {
    fn least_spacing(&self) -> Femtos {
        Femtos::from(self.default_interval).saturating_sub(self.smallest_interval.into())
    }
}

impl OtherWaits {
    /// A class that last expired at the last tick at or before `now`.
    pub fn new(rhythm: Rhythm, clock: &Clock, now: Instant) -> Self {
        let last_expiry = clock.exact_last_tick(now);
        Self {
            rhythm,
            last_expiry,
            not_before: last_expiry,
        }
    }

    /// When the class last expired, as far as it has been told.
    pub fn last_expiry(&self) -> Instant {
        self.last_expiry.instant()
    }

    /// The tick at which the member that is due first ends, if nothing changes before it.
    pub fn next_expiry(&self, clock: &Clock, first_due: Instant) -> Instant {
        let due = Femtos::from(first_due);
        let by_rhythm = self.expiry_by_rhythm(clock, due);
        let expiry = by_rhythm.min(self.expiry_by_tardiness(clock, due));
        expiry.max(self.not_before).instant()
    }

    /// Records that the class expired at this tick and its due members ended.
    pub fn expire(&mut self, clock: &Clock, tick: Instant) {
        self.last_expiry = clock.exact_last_tick(tick);
    }

    /// Changes what the class goes by, or nothing: to be called before any change of the clock.
    ///
    /// Expiries at which nothing was due are not recorded when they happen, but here: those before
    /// now, since members may be waiting for one that comes this very instant.
    pub fn set_rhythm(&mut self, clock: &Clock, now: Instant, rhythm: Rhythm) {
        self.last_expiry = self.last_expiry_before(clock, now.into());
        if rhythm != self.rhythm {
            self.rhythm = rhythm;
            self.not_before = clock.exact_tick_at_or_after(now.into());
        }
    }

    /// The first tick, due or later, at which enough time has passed since the expiry before.
    fn expiry_by_rhythm(&self, clock: &Clock, due: Femtos) -> Femtos {
        let last = self.last_expiry_before(clock, due);
        self.spaced_from(clock, last)
            .max(clock.exact_tick_at_or_after(due))
    }

    /// The last tick at which the first due member would end no later than one default interval
    /// past its due time; a later one if there is none.
    fn expiry_by_tardiness(&self, clock: &Clock, due: Femtos) -> Femtos {
        let latest = due + self.rhythm.default_interval.into();
        let last = clock.exact_last_tick(latest.instant());
        last.max(clock.exact_tick_at_or_after(due))
    }

    fn spaced_from(&self, clock: &Clock, expiry: Femtos) -> Femtos {
        // At least one tick, even if the rhythm asks for less than the clock can do.
        let spacing = self.rhythm.least_spacing().max(Femtos::ONE);
        clock.exact_tick_at_or_after(expiry + spacing)
    }

    /// The last expiry before `time`, if no member is due until then.
    fn last_expiry_before(&self, clock: &Clock, time: Femtos) -> Femtos {
        let mut last = self.last_expiry;
        if self.rhythm.idle_expiry == IdleExpiry::Hold {
            return last;
        }
        // Once for what is left of the ticks before a change of the interval, once for the step
        // across it, once for the ticks after it.
        loop {
            let next = self.spaced_from(clock, last);
            if next >= time {
                return last;
            }
            last = self.skip_evenly_spaced(clock, next, time);
        }
    }

    /// From one expiry over all those that follow it at the same distance before `time`.
    fn skip_evenly_spaced(&self, clock: &Clock, expiry: Femtos, time: Femtos) -> Femtos {
        let interval = clock.ticks_at(expiry).interval;
        let ticks = self.rhythm.least_spacing().covering(interval).max(1);
        let stride = interval.times(ticks);
        let change = clock.change_from(expiry + Femtos::ONE);
        let end = change.map_or(time, |change| change.min(time)) - Femtos::ONE;
        expiry + stride.times((end.saturating_sub(expiry)).whole(stride))
    }
}

#[cfg(test)]
mod tests;
