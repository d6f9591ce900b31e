//! The wait itself: what is asked of the system, what is spun, and what that teaches.

use super::{Sleeper, Wake};
use crate::Instant;
use crate::Window;
use crate::cancel::Cancelled;
use crate::margin::{Company, Meeting, Observation};
use crate::os::wait::wait_out;
use crate::os::{Os, Woken};
use std::sync::Arc;
use std::time::Duration;

/// What no other sleeper does within a shorter time: to take a processor and give it back. Waits that end sooner return
/// without a further look.
const MADE_LATE: Duration = Duration::from_micros(5);

/// What is known of a wait when its spin begins. Written down before the spin, so that the memory it
/// goes to is in the cache by the time the spin has ended.
pub(super) struct PendingObservation {
    pub(super) wait: Duration,
    pub(super) window: Window,
    pub(super) latency: Option<Duration>,
    pub(super) meeting: Meeting,
    /// Whether it ended late because of another sleeper of the process.
    pub(super) made_late: bool,
    /// Where the spin began.
    pub(super) spun_from: Instant,
    /// Where the wait before ended.
    pub(super) previous_end: Instant,
}

impl PendingObservation {
    /// How long a wait spun that ended then. A spin that lost its processor ends when it gets it back. Until the
    /// deadline it may have had it.
    pub(super) fn spun(&self, ended: Instant) -> Duration {
        let end = ended.min(self.window.earliest());
        end.duration_since(self.spun_from)
    }
}

impl<O: Os> Sleeper<O> {
    /// Sleeps within a window unless the bell, if there is one, is rung. The system is not to end
    /// the wait before `rather`, as far as the window leaves room for that, and as far as the system
    /// needs no arrangements to be that precise.
    pub(crate) fn sleep_on(
        &mut self,
        window: Window,
        not_before: Instant,
        bell: Option<&O::Bell>,
    ) -> Result<Wake, Cancelled> {
        let (deadline, latest) = (window.earliest(), window.latest());
        let began = self.os.now();
        if began >= deadline {
            return Ok(Wake::without_wait(deadline, began));
        }
        self.learn_pending(began);
        let wait = latest.duration_since(began);
        self.hold_precision(wait);
        let alarm = latest - self.margin.before(wait);
        let from = if self.os.precise_interval().is_zero() {
            not_before.max(deadline)
        } else {
            deadline
        };
        let (rested, woken) = self.system_wait(began, from, alarm, bell);
        let rung = rested < deadline && self.was_rung(woken, bell);
        // A wait that the system ended with another, before it had to, teaches nothing.
        let taught = alarm > began && rested >= alarm && !rung;
        let meeting = self.meet(alarm);
        self.pending = Some(PendingObservation {
            wait,
            window,
            latency: taught.then(|| rested.duration_since(alarm)),
            meeting,
            made_late: false,
            spun_from: rested,
            previous_end: self.last_end.unwrap_or(began),
        });
        if rung {
            self.last_end = Some(rested);
            return Err(Cancelled);
        }
        let woke = self.spin(meeting, rested, deadline);
        Ok(Wake {
            deadline,
            woke,
            slept: rested.duration_since(began),
            regained: Duration::ZERO,
            spun: woke.duration_since(rested),
        })
    }

    /// Looks whether another sleeper of the process has had the processor since this one was to be woken. Those that share a
    /// budget make room for each other.
    #[inline]
    pub(super) fn meet(&self, alarm: Instant) -> Meeting {
        if !self.margin.minds_others() {
            return Meeting::default();
        }
        let collisions = &self.process_budget.collisions;
        collisions.meet(self.os.current_processor(), alarm)
    }

    /// Spins until the deadline, if it has not come. Ends the wait, and returns when that was.
    #[inline(always)]
    pub(super) fn spin(&mut self, meeting: Meeting, rested: Instant, deadline: Instant) -> Instant {
        let has_spun = rested < deadline;
        let woke = if has_spun {
            self.process_budget.collisions.begin(meeting, deadline);
            self.os.spin_until(deadline, self.spin)
        } else {
            rested
        };
        self.last_end = Some(woke);
        if woke > deadline + MADE_LATE && self.margin.minds_others() {
            let collisions = &self.process_budget.collisions;
            let sleepers = Arc::strong_count(&self.process_budget);
            let made_late = collisions.made_late(meeting, deadline, woke, has_spun, sleepers);
            if let Some(pending) = &mut self.pending {
                pending.made_late = made_late;
            }
        }
        woke
    }

    /// The system's wait and nothing else: nothing is spun, and nothing is learned.
    #[cfg(feature = "driver")]
    pub(crate) fn rest_until(&self, until: Instant, bell: &O::Bell) -> Result<Wake, Cancelled> {
        let began = self.os.now();
        if self.os.is_rung(bell) {
            return Err(Cancelled);
        }
        let (woke, woken) = self.system_wait(began, until, until, Some(bell));
        if self.was_rung(woken, Some(bell)) {
            return Err(Cancelled);
        }
        Ok(Wake {
            slept: woke.duration_since(began),
            ..Wake::without_wait(until, woke)
        })
    }

    /// Whether the bell ended the system's wait, or has been rung after it. It may have been hushed
    /// since, and still the wait has ended: what is left of it is no margin, and is not to be spun.
    pub(super) fn was_rung(&self, woken: Woken, bell: Option<&O::Bell>) -> bool {
        woken == Woken::ByBell || bell.is_some_and(|bell| self.os.is_rung(bell))
    }

    /// Takes hold of precision for a wait that gains by it, and keeps it for the next; or lets go. A
    /// sleeper that has moved to another thread lets go of the one it was on.
    pub(super) fn hold_precision(&mut self, wait: Duration) {
        let is_in_vain = self.margin.is_coarse() && self.precision_costs_power();
        if wait > self.precision_within || is_in_vain {
            self.precision = None;
        } else if !self.is_precise_here() {
            // Let go first: the same thread may be the one to hold it.
            self.precision = None;
            self.precision = Some(self.os.precision(self.slice));
        }
    }

    /// While it is not known when the next wait will be: lets go of what costs power. The rest is kept,
    /// because to take it and to give it back costs system calls.
    #[cfg(feature = "driver")]
    pub(crate) fn rest(&mut self) {
        if self.precision_costs_power() {
            self.precision = None;
        }
    }

    /// As frequent interrupts do; a slice costs nothing.
    fn precision_costs_power(&self) -> bool {
        !self.os.precise_interval().is_zero()
    }

    fn is_precise_here(&self) -> bool {
        let held = self.precision.as_ref();
        held.is_some_and(|held| self.os.is_precise_here(held))
    }

    /// Waits until some instant from `from` to the alarm, whichever suits the system, or until the
    /// alarm if that comes first, or until the bell is rung. Returns when that was, and what ended
    /// it.
    fn system_wait(
        &self,
        began: Instant,
        from: Instant,
        alarm: Instant,
        bell: Option<&O::Bell>,
    ) -> (Instant, Woken) {
        let bell = bell.unwrap_or(&self.silent_bell);
        let (until, tolerance) = (alarm.min(from), alarm.duration_since(from));
        let (mut now, mut woken) = (began, Woken::ByTime);
        if began < until {
            wait_out(&self.os, Some(until), tolerance, bell, |by| {
                (now, woken) = (self.os.now(), by);
                now >= until || woken == Woken::ByBell
            });
        }
        (now, woken)
    }

    /// Before a wait, or where one would begin: learns from the last, if that is yet to be done, and what the
    /// process leaves.
    pub(super) fn learn_pending(&mut self, now: Instant) {
        let (pending, ended) = match (self.pending.take(), self.last_end) {
            (Some(pending), Some(ended)) => (pending, ended),
            _ => return self.margin.share(&self.process_budget, now, None),
        };
        let observation = Observation {
            wait: pending.wait,
            latency: pending.latency,
            spun: pending.spun(ended),
            lateness: ended.duration_since(pending.window.latest()),
            elapsed: ended.duration_since(pending.previous_end),
        };
        let company = Company {
            crossed: pending.meeting.crossed(pending.window.earliest()),
            made_late: pending.made_late,
        };
        let before = Some((observation, company));
        self.margin.share(&self.process_budget, now, before);
        self.margin
            .learn_or_pay(observation, !pending.meeting.held_up());
    }
}
