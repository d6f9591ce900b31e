//! Where a loop starts that may start anywhere: in phase with the interrupts that end its waits, or away from those that
//! would make it late.

use super::Sleeper;
use crate::cancel::Cancelled;
use crate::instant::saturating_nanos;
use crate::os::{Os, Woken};
use crate::{Instant, Period};
use std::time::Duration;

/// How long after a wake-up the deadlines of a loop lie that spins: what wake-ups vary by on an idle
/// machine, by our estimate. A deadline that came before the wake-up could not be met by any margin.
/// Spinning for it is 0.5 % of the time in a loop of 1 ms, a tenth of the default budget.
const AFTER_WAKE_UP: Duration = Duration::from_micros(5);

/// How long before a wake-up the deadlines of a loop lie that does not spin, so that it is this late
/// and no more. A deadline that the interrupt came before would be served by the next one. The first
/// wake-up can itself be tens of microseconds after its interrupt.
const BEFORE_WAKE_UP: Duration = Duration::from_micros(50);

/// Deadlines that are at least so far apart, modulo the ticks, can all keep away from them: a quarter of it is as long as
/// a kernel's tick takes a processor in a virtual machine (45 µs, measured).
const LEAST_ROOM: Duration = Duration::from_micros(200);

/// Where the deadlines of a loop lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Phase {
    /// Where it was told to start, or asked for its first tick.
    AsAsked,
    /// Just after the interrupts that end waits, on a Windows without high-resolution timers.
    WithInterrupts,
    /// Away from the ticks of the kernel, on Linux.
    OffTicks,
}

/// The instant at which a loop starts, and why there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Start {
    at: Instant,
    phase: Phase,
    doubt: u8,
}

/// How much more a look weighs that says otherwise than one that agrees: a machine whose ticks are elsewhere is found out
/// if more than one look in nine says so.
const WEIGHT: u8 = 8;

/// So many such looks more than those that agree make up for. A host that stops the machine for milliseconds makes a few of
/// them wrong: beside two computing processes, three in twelve seconds were common.
const TOO_MANY: u8 = 16 * WEIGHT;

impl<O: Os> Sleeper<O> {
    /// The start of a loop of this period that may start anywhere, from now on.
    ///
    /// Where waits end with interrupts and the period is a whole number of their intervals, it is the instant from
    /// which on every deadline lies close to one. That is up to one default interval later, because
    /// a request for frequent interrupts takes effect with the next.
    ///
    /// # Errors
    /// [`Cancelled`] if the bell was rung before it was found.
    pub(crate) fn start_in_phase(
        &mut self,
        now: Instant,
        period: Period,
        bell: Option<&O::Bell>,
    ) -> Result<Start, Cancelled> {
        let interval = self.os.precise_interval();
        if interval.is_zero() {
            return Ok(self.start_off_ticks(now, period));
        }
        // Longer waits leave the interval to the system in between, and it comes back in any phase.
        let is_short = period.to_duration() <= self.precision_within;
        if !is_short || !period.is_multiple_of(interval) {
            return Ok(Start::as_asked(now));
        }
        self.hold_precision(interval);
        let bell = bell.unwrap_or(&self.silent_bell);
        // Whichever interrupt comes after that ends it.
        let woken = self.os.wait(Some(now + interval / 2), Duration::ZERO, bell);
        if woken == Woken::ByBell || self.os.is_rung(bell) {
            return Err(Cancelled);
        }
        let woke = self.os.now();
        let at = if self.margin.is_coarse() {
            now.max(woke - BEFORE_WAKE_UP)
        } else {
            woke + AFTER_WAKE_UP
        };
        Ok(Start::new(at, Phase::WithInterrupts))
    }

    /// Where a loop of this period starts that waits with this sleeper and may start anywhere, from `now` on. It never waits.
    ///
    /// On a busy Linux, a spin that the kernel's tick interrupts ends late. If the deadlines of the loop come back to the
    /// same places between ticks, they can all keep away from them. A [`Ticker`](crate::Ticker) does this
    /// [by itself](crate::Ticker#where-it-starts); a loop with a [`Schedule`](crate::Schedule) of its own can ask for it.
    /// If it can keep away and the [`Margin`](crate::Margin) is the default, this sleeper aims for a fifth of its late waits.
    ///
    /// ```
    /// use punctual::{Period, Schedule, Sleeper};
    ///
    /// let period = Period::from_hertz(1_000);
    /// let mut sleeper = Sleeper::new();
    /// let start = sleeper.start_off_ticks(sleeper.now(), period);
    /// let mut schedule = Schedule::new(start.at(), period);
    /// # let _ = schedule;
    /// ```
    pub fn start_off_ticks(&mut self, now: Instant, period: Period) -> Start {
        if self.margin.is_coarse() {
            return Start::as_asked(now);
        }
        let start = Start::off_ticks(&self.os, now, period);
        if start.phase() == Phase::OffTicks {
            self.margin.keep_off_ticks();
        }
        start
    }
}

impl Start {
    /// There, for no reason of the machine's.
    pub fn as_asked(at: Instant) -> Self {
        Self::new(at, Phase::AsAsked)
    }

    /// Away from ticks, from `now` on, if there is room for all deadlines.
    pub(crate) fn off_ticks(os: &impl Os, now: Instant, period: Period) -> Self {
        let room = os.ticks().map(|interval| period.common_measure(interval));
        match room {
            Some(room) if room >= LEAST_ROOM => {
                Self::new(in_the_middle(now, room), Phase::OffTicks)
            }
            _ => Self::as_asked(now),
        }
    }

    fn new(at: Instant, phase: Phase) -> Self {
        Self {
            at,
            phase,
            doubt: 0,
        }
    }

    /// From when the loop was asked for on.
    pub fn at(self) -> Instant {
        self.at
    }

    /// What it means for the deadlines, for as long as the loop keeps its period.
    pub fn phase(self) -> Phase {
        self.phase
    }

    /// Looks whether ticks are still where they were believed to be, for some tens of nanoseconds. If not, the phase becomes
    /// [`AsAsked`](Phase::AsAsked). A loop asks before each wait.
    pub fn look(&mut self, os: &impl Os) {
        if self.phase != Phase::OffTicks {
            return;
        }
        self.doubt = match os.ticks() {
            Some(_) => self.doubt.saturating_sub(1),
            None => self.doubt + WEIGHT,
        };
        if self.doubt >= TOO_MANY {
            *self = Self::as_asked(self.at);
        }
    }
}

/// An instant that is a quarter of the room or more away from each multiple of it: now, or half the room later. So loops that
/// begin at different instants keep different phases. If all began at the first quarter, they would meet there.
fn in_the_middle(now: Instant, room: Duration) -> Instant {
    let nanos = saturating_nanos(room);
    let place = now.as_nanos() % nanos;
    match (nanos / 4..=nanos - nanos / 4).contains(&place) {
        true => now,
        false => now + room / 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::VirtualOs;

    #[test]
    fn a_loop_begins_now_or_half_the_room_later() {
        let room = Duration::from_micros(1_000);
        let at = |micros: u64| Instant::ZERO + Duration::from_micros(micros);
        for (now, start) in [
            (7_000, 7_500),
            (7_249, 7_749),
            (7_250, 7_250),
            (7_600, 7_600),
            (7_750, 7_750),
            (7_751, 8_251),
        ] {
            assert_eq!(in_the_middle(at(now), room), at(start), "{now}");
        }
    }

    #[test]
    fn ticks_that_are_elsewhere_are_found_out() {
        // It has none.
        let os = VirtualOs::new();
        let mut start = Start::new(Instant::ZERO, Phase::OffTicks);
        let mut looks = 0;
        while start.phase() == Phase::OffTicks {
            start.look(&os);
            looks += 1;
        }
        assert_eq!(looks, 16);
    }
}
