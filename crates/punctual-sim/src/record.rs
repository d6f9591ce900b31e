//! The machine's log: what happened, when, and to whom.

use crate::processor::Theft;
use crate::thread::{Reason, ThreadId};
use punctual::Instant;
use std::collections::VecDeque;
use std::time::Duration;

/// One line of the log.
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
    /// A thread wants a processor: it was started, or its wait is over.
    Ready {
        /// Which thread.
        thread: ThreadId,
    },
    /// A thread was given a processor, and goes on when the dispatch is paid for.
    Dispatched {
        /// Which thread.
        thread: ThreadId,
        /// The processor it has until it blocks, ends or is preempted.
        processor: usize,
    },
    /// A thread lost its processor to another before it was done.
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
    },
    /// A thread ended.
    Ended {
        /// Which thread.
        thread: ThreadId,
    },
    /// Time was stolen from whatever ran.
    Stolen {
        /// By what.
        by: Theft,
        /// On which processor.
        processor: usize,
        /// How much.
        length: Duration,
    },
}

/// The last so many records.
pub(crate) struct Log {
    records: VecDeque<Record>,
    limit: usize,
}

impl Log {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            records: VecDeque::new(),
            limit,
        }
    }

    #[inline]
    pub(crate) fn is_kept(&self) -> bool {
        self.limit > 0
    }

    #[cold]
    pub(crate) fn add(&mut self, at: u64, what: What) {
        if self.records.len() == self.limit {
            self.records.pop_front();
        }
        let at = Instant::from_nanos(at);
        self.records.push_back(Record { at, what });
    }

    pub(crate) fn into_records(self) -> Vec<Record> {
        self.records.into()
    }
}
