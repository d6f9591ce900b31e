//! The timer interrupt: which intervals there are (C2), when ticks come, and the clocks that they
//! advance (C4).

use super::choices::Lattice;
use super::femtos::Femtos;
use super::parameters::MachineParameters;
use super::rules::Rules;
use core::time::Duration;
use punctual::Instant;

/// The shortest interval of a real-time clock as the PC has had it since 1984: 1024 Hz. All others
/// are twice, four times… as long.
const REAL_TIME_CLOCK: Femtos = Femtos::new(976_562_500_000);

/// The interval at which a machine ticks when this is the smallest request in force, or with none
/// (C1, C2).
pub fn tick_interval(
    rules: &Rules,
    parameters: &MachineParameters,
    smallest_request: Option<Duration>,
) -> Femtos {
    let default = parameters.default_interval;
    let wanted = smallest_request.unwrap_or(default);
    let wanted = wanted.clamp(parameters.smallest_interval, default);
    match rules.lattice {
        // Unasked, the clock keeps the interval that the machine started with.
        _ if wanted == default => default.into(),
        Lattice::PowersOfTwo => power_of_two(wanted.into()),
        Lattice::AtRequest => (wanted + parameters.overshoot).into(),
        Lattice::WholeQuanta => {
            let wanted = Femtos::from(wanted);
            parameters.quantum.times(wanted.whole(parameters.quantum))
        }
    }
}

fn power_of_two(wanted: Femtos) -> Femtos {
    let exponent = wanted.whole(REAL_TIME_CLOCK).max(1).ilog2();
    REAL_TIME_CLOCK.times(1 << exponent)
}

/// The schedule of a machine's ticks, as a value that needs no update at a tick.
///
/// A change of the interval takes effect at the next tick, which still comes at its old time. The methods
/// work for every time since the last change, in constant time.
///
/// ```
/// use punctual::Instant;
/// use punctual_windows::{Clock, Femtos};
///
/// let at = |micros: u64| Instant::from_nanos(micros * 1_000);
/// let mut clock = Clock::new(at(0), Femtos::from_nanos(15_000_000));
/// clock.set_interval(at(20_000), Femtos::from_nanos(1_000_000));
/// assert_eq!(clock.tick_after(at(20_000)), at(30_000));
/// assert_eq!(clock.tick_after(at(30_000)), at(31_000));
/// assert_eq!(clock.last_tick(at(31_999)), at(31_000));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    ticks: Ticks,
    /// Ticks from the last tick of `ticks` on, if the interval has been changed meanwhile.
    changed: Option<Ticks>,
}

/// Evenly spaced ticks from the first on, for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ticks {
    first: Femtos,
    pub(super) interval: Femtos,
}

impl Ticks {
    #[inline(always)]
    fn first_not_before(self, time: Femtos) -> Femtos {
        let number = time.saturating_sub(self.first).covering(self.interval);
        self.first + self.interval.times(number)
    }

    /// The first tick of all if none has come yet.
    #[inline(always)]
    fn last_not_after(self, time: Femtos) -> Femtos {
        let number = time.saturating_sub(self.first).whole(self.interval);
        self.first + self.interval.times(number)
    }
}

impl Clock {
    /// A clock whose first tick is at this instant.
    ///
    /// # Panics
    /// If the interval is zero.
    pub fn new(first_tick: Instant, interval: Femtos) -> Self {
        assert!(interval > Femtos::ZERO, "ticks do not come all at once");
        let first = first_tick.into();
        Self {
            ticks: Ticks { first, interval },
            changed: None,
        }
    }

    /// Changes the interval from the next tick on. `now` must not be before that of the last call.
    ///
    /// # Panics
    /// If the interval is zero.
    pub fn set_interval(&mut self, now: Instant, interval: Femtos) {
        assert!(interval > Femtos::ZERO, "ticks do not come all at once");
        self.ticks = self.ticks_at(Femtos::end_of(now));
        self.changed = None;
        if interval != self.ticks.interval {
            let first = self.exact_tick_after(now);
            self.changed = Some(Ticks { first, interval });
        }
    }

    /// There is a tick now, whenever one was to come, and the next is an interval later. A change
    /// of the interval that was pending takes effect. `now` must not be before that of the last call.
    pub fn restart(&mut self, now: Instant) {
        let pending = self.changed.unwrap_or(self.ticks);
        self.ticks = Ticks {
            first: now.into(),
            interval: pending.interval,
        };
        self.changed = None;
    }

    /// The interval between the last tick and the next.
    pub fn interval(&self, now: Instant) -> Femtos {
        self.ticks_at(Femtos::end_of(now)).interval
    }

    /// The first tick at or after an instant.
    pub fn tick_at_or_after(&self, time: Instant) -> Instant {
        self.exact_tick_at_or_after(time.into()).instant()
    }

    /// The first tick after an instant.
    pub fn tick_after(&self, time: Instant) -> Instant {
        self.exact_tick_after(time).instant()
    }

    /// The last tick at or before an instant; the first of all if none has come yet.
    #[inline(always)]
    pub fn last_tick(&self, time: Instant) -> Instant {
        self.exact_last_tick(time).instant()
    }

    /// `timeGetTime`: the time of the last tick in whole milliseconds.
    pub fn time_get_time(&self, now: Instant) -> u64 {
        whole_millis(self.last_tick(now))
    }

    /// `GetTickCount`: milliseconds, but moving only once per default interval, whatever the
    /// interval is.
    pub fn tick_count(&self, now: Instant, parameters: &MachineParameters) -> u64 {
        let default = Femtos::from(parameters.default_interval);
        let intervals = self.exact_last_tick(now).whole(default);
        whole_millis(default.times(intervals).instant())
    }

    pub(super) fn exact_tick_at_or_after(&self, time: Femtos) -> Femtos {
        let tick = self.ticks.first_not_before(time);
        match self.changed {
            Some(changed) if tick > changed.first => changed.first_not_before(time),
            _ => tick,
        }
    }

    #[inline(always)]
    pub(super) fn exact_last_tick(&self, now: Instant) -> Femtos {
        let now = Femtos::end_of(now);
        self.ticks_at(now).last_not_after(now)
    }

    fn exact_tick_after(&self, time: Instant) -> Femtos {
        self.exact_tick_at_or_after(Femtos::end_of(time) + Femtos::ONE)
    }

    /// The ticks that time is among; a change belongs to the ticks after it.
    #[inline(always)]
    pub(super) fn ticks_at(&self, time: Femtos) -> Ticks {
        match self.changed {
            Some(changed) if changed.first <= time => changed,
            _ => self.ticks,
        }
    }

    /// The tick at which the interval changes, if that is at or after this time.
    pub(super) fn change_from(&self, time: Femtos) -> Option<Femtos> {
        let change = self.changed.map(|changed| changed.first);
        change.filter(|change| *change >= time)
    }
}

fn whole_millis(time: Instant) -> u64 {
    const NANOS_PER_MILLI: u64 = 1_000_000;
    time.as_nanos() / NANOS_PER_MILLI
}

#[cfg(test)]
mod tests;
