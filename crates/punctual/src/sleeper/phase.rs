//! Where a loop starts that may start anywhere: in phase with the system's interrupts.

use super::Sleeper;
use crate::cancel::Cancelled;
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

impl<O: Os> Sleeper<O> {
    /// The start of a loop of this period that may start anywhere, from now on: now, or, where waits
    /// end with interrupts and the period is a whole number of their intervals, the instant from
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
    ) -> Result<Instant, Cancelled> {
        let interval = self.os.precise_interval();
        // Longer waits leave the interval to the system in between, and it comes back in any phase.
        let is_short = period.to_duration() <= self.precision_within;
        if !is_short || !period.is_multiple_of(interval) {
            return Ok(now);
        }
        self.hold_precision(interval);
        let bell = bell.unwrap_or(&self.silent_bell);
        // Whichever interrupt comes after that ends it.
        let woken = self.os.wait(Some(now + interval / 2), Duration::ZERO, bell);
        if woken == Woken::ByBell || self.os.is_rung(bell) {
            return Err(Cancelled);
        }
        let woke = self.os.now();
        Ok(if self.margin.is_coarse() {
            now.max(woke - BEFORE_WAKE_UP)
        } else {
            woke + AFTER_WAKE_UP
        })
    }
}
