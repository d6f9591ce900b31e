//! The choice between the ways in which Windows can wait.
//!
//! | the wait | uses |
//! |---|---|
//! | no instant | only the bell, for ever |
//! | over within [`SHORTEST_WAIT`] | a spin |
//! | tolerance of a default interval or more | a plain timer with that tolerable delay |
//! | otherwise, longer than [`LONG_WAIT`] | a plain timer, until it is near |
//! | otherwise, from Windows 10 version 1803 on | a high-resolution timer |
//! | otherwise, more than two default intervals away | a plain timer, until it is that near |
//! | otherwise | a plain timer, while a [`Request`] is held |
//! | any of these, if a timer cannot be had | the bell's own timeout, in whole milliseconds |
//!
//! # Due times are relative
//!
//! An absolute due time is a point of the system clock. A person or a time server can set that clock, and
//! it is slewed, so a wait could end early, or hours late. A relative due time is added to the clock of
//! ticks, which cannot be set.
//!
//! On Windows XP to 8 a relative due time counts from the *last* tick, so a wait can end up to one tick
//! early. An additional tick would often oversleep by a tick. Instead, a second wait in units of 100 ns
//! covers the rest, and ends with the next tick. Together, the two waits end at the first tick that is not
//! before the instant, which is the best possible with ticks. A second wait in whole milliseconds would
//! take two ticks, because ticks of "1 ms" come every 0.9766 ms (XP) or slightly under 1 ms (Windows 10).
//!
//! Relative waits do not drift: each wait asks for the time until an instant of the performance counter,
//! which is read just before the timer is set.
//!
//! Long waits are not late: the clock of ticks may run slow against the performance counter, so a long
//! wait ends early enough for any such error, and another wait covers the rest.
//!
//! Since Windows 8, a relative due time does not count the time for which the machine is asleep, but the
//! performance counter does. So such a wait ends late by that time, never early.

use super::bell::Bell;
use super::clock;
use super::request::Request;
use super::timers::{Lent, Timers};
use super::{INFINITE, Waited, Win32, Win32Error, WindowsOs};
use crate::Instant;
use crate::os::{Os, Spin, Woken};
use std::time::Duration;

/// What is left of a wait is spun if it is no longer than this.
///
/// Any wait of the system lasts until the next tick, or half a millisecond with a high-resolution
/// timer, however little is asked for. A wait that ended a microsecond early, since the tick's
/// clock and the performance counter are not one clock, would thus end a tick late. Ten
/// microseconds is our estimate of what two system calls and two switches of threads take the
/// processor, so that spinning for less costs no more than waiting: at most 1 % of the time in a
/// loop of 1 ms, outside the account of a caller's processor budget.
pub(super) const SHORTEST_WAIT: Duration = Duration::from_micros(10);

/// How many default intervals before its instant a precise wait begins to hold a request: a plain
/// wait up to there may be late by one, and a request takes effect within another.
const INTERVALS_REQUESTED: u32 = 2;

/// Timers count by the clock of ticks, and we by the performance counter; the two can have
/// oscillators of their own, each of which errs by up to a few hundred parts per million. So no wait
/// is asked for up to its end that is longer than it takes to drift noticeably: in a second, by tens
/// of microseconds on most machines. One more wake-up a second costs next to nothing.
const LONG_WAIT: Duration = Duration::from_secs(1);

/// What is left out of a long wait, for drift: a five-hundredth, 2000 parts per million.
const DRIFT_PARTS: u32 = 500;

impl<W: Win32> WindowsOs<W> {
    pub(super) fn wait_for_bell(&self, bell: &Bell<W>) -> Woken {
        Woken::by(bell.wait(&self.shared.win32, INFINITE), false)
    }

    #[inline(always)]
    pub(super) fn wait_until(&self, until: Instant, tolerance: Duration, bell: &Bell<W>) -> Woken {
        let remaining = until.duration_since(self.now());
        if remaining <= SHORTEST_WAIT {
            self.spin_until(until, Spin::Pause);
            Woken::by(bell.is_rung(&self.shared.win32), false)
        } else if tolerance >= self.shared.default_interval {
            self.wait_plainly(until, tolerance, bell)
        } else if remaining > LONG_WAIT && self.shared.high_resolution.is_some() {
            self.wait_plainly(self.near(until, remaining), Duration::ZERO, bell)
        } else if let Some(timers) = &self.shared.high_resolution {
            // Its tolerance is not passed on: it would be an exact timer asked to be inexact, and
            // Windows combines timers in steps longer than a tick.
            self.wait_with(timers, remaining, Duration::ZERO, bell)
                .unwrap_or_else(|_| self.wait_at_a_tick(until, tolerance, bell))
        } else {
            self.wait_at_a_tick(until, tolerance, bell)
        }
    }

    /// Precisely, as far as ticks permit. Ends early if the instant is far away, so that ticks are
    /// made frequent for the end of the wait only.
    fn wait_at_a_tick(&self, until: Instant, tolerance: Duration, bell: &Bell<W>) -> Woken {
        let now = self.now();
        let requested_from = self.near(until, until.duration_since(now));
        if requested_from > now {
            return self.wait_plainly(requested_from, Duration::ZERO, bell);
        }
        // If the system refuses, its ticks are what there is.
        let _request = Request::make(&self.shared).ok();
        self.wait_plainly(until, tolerance, bell)
    }

    /// Up to where a long wait may be coarse: what is left is measured by a clock that cannot have
    /// drifted past the instant.
    fn near(&self, until: Instant, remaining: Duration) -> Instant {
        until - (remaining / DRIFT_PARTS).max(self.requests_within())
    }

    /// How long before its instant a precise wait holds a request.
    pub(super) fn requests_within(&self) -> Duration {
        self.shared.default_interval * INTERVALS_REQUESTED
    }

    fn wait_plainly(&self, until: Instant, tolerance: Duration, bell: &Bell<W>) -> Woken {
        let remaining = until.duration_since(self.now());
        self.wait_with(&self.shared.plain, remaining, tolerance, bell)
            .unwrap_or_else(|_| self.wait_whole_milliseconds(until, bell))
    }

    #[inline(always)]
    fn wait_with(
        &self,
        timers: &Timers<W>,
        remaining: Duration,
        tolerance: Duration,
        bell: &Bell<W>,
    ) -> Result<Woken, Win32Error> {
        let win32 = &self.shared.win32;
        let timer = timers.lend()?;
        self.set(timer.object(), remaining, tolerance)?;
        let waited = win32.wait_for_multiple_objects([bell.event(), timer.object()], INFINITE);
        if waited != Ok(Waited::Object(1)) {
            self.cancel(&timer);
        }
        Ok(Woken::by(waited? == Waited::Object(0), false))
    }

    /// A system without tolerable delays, or that does not want this one, is asked for the exact
    /// time.
    fn set(
        &self,
        timer: &W::Object,
        remaining: Duration,
        tolerance: Duration,
    ) -> Result<(), Win32Error> {
        const ONCE: i32 = 0;
        let win32 = &self.shared.win32;
        let delay = clock::milliseconds_at_most(tolerance);
        let due_time = clock::due_time(remaining);
        if delay > 0 {
            let set = win32.set_waitable_timer_ex(timer, due_time, ONCE, delay);
            if set.is_ok() {
                return Ok(());
            }
        }
        win32.set_waitable_timer(timer, due_time, ONCE)
    }

    /// A timer that nothing waits for any more would still wake the processor.
    fn cancel(&self, timer: &Lent<'_, W>) {
        // If it cannot be cancelled it fires in vain; whoever borrows it next sets it anew.
        let _ = self.shared.win32.cancel_waitable_timer(timer.object());
    }

    /// Without a timer. Rounded up, so that a wait is late rather than repeated.
    fn wait_whole_milliseconds(&self, until: Instant, bell: &Bell<W>) -> Woken {
        let remaining = until.duration_since(self.now());
        let milliseconds = clock::milliseconds_at_least(remaining);
        Woken::by(bell.wait(&self.shared.win32, milliseconds), false)
    }
}
