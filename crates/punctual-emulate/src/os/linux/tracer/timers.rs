//! Timers that are set: the program does not wait in a call for them.

use super::Tracer;
use crate::os::sys::ptrace::Tid;
use crate::steer::abi::{self, Made};
use crate::timer_policy::{Over, WaitId};
use punctual::Instant;
use std::collections::HashMap;
use std::time::Duration;

/// Firings that are told of at once: a program that was idle for hours has many.
const AT_ONCE: u32 = 1000;

/// Which timer: its process, the call that sets it, and its number or descriptor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    process: Tid,
    call: u32,
    number: u64,
}

impl Key {
    /// Of a call that sets it.
    pub(crate) fn of(process: Tid, made: Made) -> Self {
        // A process has one of setitimer's that goes by the clock.
        let number = if made.number == abi::SETITIMER {
            0
        } else {
            made.args[0] & 0xffff_ffff
        };
        Self {
            process,
            call: made.number,
            number,
        }
    }
}

/// A timer that is set.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Timer {
    pub(crate) wait: WaitId,
    /// Its next firing.
    pub(crate) next: Instant,
    /// From that to the one after it, if it repeats.
    pub(crate) period: Option<Duration>,
}

/// The timers that are set.
#[derive(Debug, Default)]
pub(crate) struct Timers {
    set: HashMap<Key, Timer>,
}

impl Timers {
    /// Sets one. Gives what was set before.
    pub(crate) fn set(&mut self, key: Key, timer: Timer) -> Option<WaitId> {
        self.set.insert(key, timer).map(|timer| timer.wait)
    }

    /// Takes one back.
    pub(crate) fn cancel(&mut self, key: Key) -> Option<WaitId> {
        self.set.remove(&key).map(|timer| timer.wait)
    }

    /// Takes all of a process back.
    pub(crate) fn cancel_all(&mut self, process: Tid) -> Vec<WaitId> {
        let theirs = self.set.extract_if(|key, _| key.process == process);
        theirs.map(|(_, timer)| timer.wait).collect()
    }

    /// Firings up to now, in their order: when, whose, and whether it was the last.
    fn due(&mut self, now: Instant) -> Vec<(Instant, WaitId, bool)> {
        let mut fired = Vec::new();
        self.set.retain(|_, timer| {
            for _ in 0..AT_ONCE {
                if timer.next > now {
                    return true;
                }
                fired.push((timer.next, timer.wait, timer.period.is_none()));
                match timer
                    .period
                    .and_then(|period| timer.next.checked_add(period))
                {
                    Some(next) => timer.next = next,
                    None => return false,
                }
            }
            // The rest is not told.
            timer.next = now;
            true
        });
        fired.sort();
        fired
    }
}

impl Tracer<'_> {
    /// Tells the policy of timers that fired.
    pub(super) fn tell_firings(&mut self, now: Instant) {
        for (at, wait, last) in self.timers.due(now) {
            if last {
                self.policy.over(at, wait, Over::TimedOut);
            } else {
                self.policy.next_firing(wait, at);
            }
        }
    }
}
