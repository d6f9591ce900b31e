//! The timers of a simulated machine: the log says with what was done for an expired timer what it
//! woke, and a trace says it with the interrupt that found the timer due.

use crate::event::{Kind, ThreadId, TimerId};
use punctual::Instant;
use std::collections::HashMap;

/// A timer that was found due.
#[derive(Debug, Clone)]
pub(super) struct Due {
    pub(super) at: Instant,
    pub(super) order: usize,
    pub(super) processor: usize,
    pub(super) woken: Vec<ThreadId>,
}

impl Due {
    pub(super) fn new(at: Instant, order: usize, processor: usize) -> Self {
        Self {
            at,
            order,
            processor,
            woken: Vec::new(),
        }
    }
}

/// All of them.
#[derive(Debug, Default)]
pub(super) struct Timers {
    /// The event of each that is armed.
    armed: HashMap<u64, usize>,
    due: HashMap<u64, Due>,
    /// The one that is being dealt with.
    expiring: Option<u64>,
    nameless: u64,
}

impl Timers {
    /// What a trace calls it. The upper half is for [nameless](Self::nameless) ones.
    pub(super) fn id(timer: u64) -> TimerId {
        TimerId(timer)
    }

    /// The event that arms a timer; until its expiry is known, nothing is known of any tolerance.
    pub(super) fn arming(timer: u64, earliest: Instant) -> Kind {
        Self::arming_at_once(Self::id(timer), earliest)
    }

    /// The event that arms a timer for this very instant.
    pub(super) fn arming_at_once(timer: TimerId, at: Instant) -> Kind {
        Kind::TimerArmed {
            timer,
            earliest: at,
            latest: at,
        }
    }

    /// The tick is known at which a timer was to expire: until then the system let it.
    pub(super) fn expires_at(arming: &mut Kind, tick: Instant) {
        if let Kind::TimerArmed {
            earliest, latest, ..
        } = arming
        {
            *earliest = (*earliest).min(tick);
            *latest = tick;
        }
    }

    pub(super) fn armed(&mut self, timer: u64, event: usize) {
        self.armed.insert(timer, event);
    }

    /// A timer was found due: the event that armed it. Found again before it is dealt with, it is
    /// still the first time that counts.
    pub(super) fn due(&mut self, timer: u64, due: Due) -> Option<usize> {
        let armed = self.armed.remove(&timer)?;
        self.due.insert(timer, due);
        Some(armed)
    }

    pub(super) fn expires(&mut self, timer: u64) {
        self.expiring = Some(timer);
    }

    /// The machine itself makes a thread ready: on which processor, if it is for a timer.
    pub(super) fn wakes(&mut self, thread: ThreadId) -> Option<usize> {
        let due = self.due.get_mut(&self.expiring?)?;
        due.woken.push(thread);
        Some(due.processor)
    }

    pub(super) fn handled(&mut self, timer: u64) -> Option<Due> {
        self.expiring = None;
        self.due.remove(&timer)
    }

    /// A timer that no interrupt had to end.
    pub(super) fn nameless(&mut self) -> TimerId {
        self.nameless += 1;
        TimerId(1 << 63 | self.nameless)
    }
}
