//! The machine's log.
//!
//! It contains everything that the trace of a real kernel does: which thread readied another, which
//! thread had each processor, stolen time, and which timers were armed and ended waits.

use crate::processes::ProcessId;
use crate::processor::StolenTime;
use crate::thread::{Reason, ThreadId};
use punctual::Instant;
use std::time::Duration;

/// One entry of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    /// When it happened.
    pub at: Instant,
    /// What happened.
    pub what: What,
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// A thread became ready: it was started, or its wait is over.
    Ready {
        /// Which thread.
        thread: ThreadId,
        /// The thread whose call made it ready; `None` if the machine itself did.
        by: Option<ThreadId>,
    },
    /// A thread was given a processor. It runs after the dispatch.
    Dispatched {
        /// Which thread.
        thread: ThreadId,
        /// The processor it has until it blocks, ends or is preempted.
        processor: usize,
        /// When the processor turns to it: after it has served the stolen time so far, and finished the
        /// call in which the previous thread blocked. Time that is stolen until then delays it.
        from: Instant,
    },
    /// A thread was preempted.
    Preempted {
        /// Which thread.
        thread: ThreadId,
        /// The processor it had.
        processor: usize,
    },
    /// A thread waits.
    Blocked {
        /// Which thread.
        thread: ThreadId,
        /// What it waits for.
        reason: Reason,
        /// When its processor has finished the call. Time that is stolen until then delays it.
        until: Instant,
    },
    /// A thread ended.
    Ended {
        /// Which thread.
        thread: ThreadId,
        /// When its processor has finished the call in which it ended, if it was its own.
        until: Instant,
    },
    /// Time was stolen from the running thread.
    Stolen {
        /// By what.
        by: StolenTime,
        /// On which processor.
        processor: usize,
        /// How much.
        length: Duration,
        /// Whether it is [noise](crate::Noise), rather than the operating system's own.
        is_noise: bool,
    },
    /// The operating system armed a timer.
    TimerArmed {
        /// Which timer. No other of the machine ever has this number.
        timer: u64,
        /// The requested instant, as the system counts it.
        earliest: Instant,
    },
    /// A timer was cancelled, or has expired.
    TimerCancelled {
        /// Which timer.
        timer: u64,
    },
    /// An interrupt has found that a timer is due.
    TimerDue {
        /// Which timer.
        timer: u64,
        /// When that interrupt was due.
        tick: Instant,
        /// The processor that it came to.
        processor: usize,
    },
    /// The handler of an expired timer begins. Every thread that becomes ready from here to
    /// [`TimerHandled`](Self::TimerHandled) does so because of it.
    TimerExpired {
        /// Which timer.
        timer: u64,
    },
    /// The handler of an expired timer is done.
    TimerHandled {
        /// Which timer.
        timer: u64,
    },
}

impl What {
    pub(crate) fn stolen(by: StolenTime, processor: u8, length: u64, is_noise: bool) -> Self {
        Self::Stolen {
            by,
            processor: usize::from(processor),
            length: Duration::from_nanos(length),
            is_noise,
        }
    }
}

/// The name of a thread in the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The thread.
    pub thread: ThreadId,
    /// Its name.
    pub name: String,
    /// Its process.
    pub process: ProcessId,
    /// The process's name.
    pub process_name: String,
}

/// The last so many records.
pub(crate) struct Log {
    /// Room for records, made as it is needed; all of it is used in turn once there is no more.
    records: Vec<Record>,
    /// The place that the next record takes, if there is room for it.
    next: usize,
    /// Whether all room has been used once: then the next one takes the oldest's.
    is_full: bool,
    names: Vec<Named>,
    limit: usize,
}

/// What is in a place that no record has taken yet.
const NOTHING: Record = Record {
    at: Instant::ZERO,
    what: What::TimerHandled { timer: 0 },
};

/// The room that is made first.
const FIRST_ROOM: usize = 64;

impl Log {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            records: Vec::new(),
            next: 0,
            is_full: false,
            names: Vec::new(),
            limit,
        }
    }

    #[inline]
    pub(crate) fn is_kept(&self) -> bool {
        self.limit > 0
    }

    /// How many records there are.
    pub(crate) fn len(&self) -> usize {
        if self.is_full { self.limit } else { self.next }
    }

    /// Adds a record, if a log is kept.
    #[inline]
    pub(crate) fn add(&mut self, at: u64, what: What) {
        if self.next >= self.records.len() {
            self.make_room();
        }
        if let Some(place) = self.records.get_mut(self.next) {
            let at = Instant::from_nanos(at);
            *place = Record { at, what };
            self.next += 1;
        }
    }

    #[cold]
    #[inline(never)]
    fn make_room(&mut self) {
        let room = self.records.len();
        if room < self.limit {
            let more = (2 * room).max(FIRST_ROOM).min(self.limit);
            self.records.resize(more, NOTHING);
        } else {
            self.next = 0;
            self.is_full = true;
        }
    }

    #[cold]
    pub(crate) fn name(&mut self, named: Named) {
        self.names.push(named);
    }

    pub(crate) fn into_parts(mut self) -> (Vec<Record>, Vec<Named>) {
        if self.is_full {
            self.records.rotate_left(self.next);
        } else {
            self.records.truncate(self.next);
        }
        (self.records, self.names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StolenTime;

    #[test]
    fn the_oldest_give_way() {
        let added = [0, 2, 3, 7, 9, 63, 64, 65, 129, 150, 151, 450];
        let limits = [0, 3, FIRST_ROOM, 150];
        let cases = limits.map(|limit| added.map(|added| (limit, added)));
        for &(limit, added) in cases.as_flattened() {
            let mut log = Log::new(limit);
            let what = What::Stolen {
                by: StolenTime::Dpc,
                processor: 0,
                length: Duration::ZERO,
                is_noise: false,
            };
            (0..added).for_each(|at| log.add(at, what));
            assert_eq!(log.len() as u64, added.min(limit as u64));
            let records = log.into_parts().0.into_iter();
            let kept = added.saturating_sub(limit as u64)..added;
            assert!(
                records.map(|record| record.at.as_nanos()).eq(kept),
                "{added} of {limit}"
            );
        }
    }
}
