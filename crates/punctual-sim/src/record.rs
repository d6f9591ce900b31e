//! The machine's log: what happened, when, and to whom.

use crate::processor::Theft;
use crate::thread::{Reason, ThreadId};
use punctual::Instant;
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
    records: Vec<Record>,
    /// Once there are as many as may be: the place of the oldest, which the next one takes.
    oldest: usize,
    limit: usize,
}

impl Log {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            records: Vec::new(),
            oldest: 0,
            limit,
        }
    }

    #[inline]
    pub(crate) fn is_kept(&self) -> bool {
        self.limit > 0
    }

    #[inline]
    pub(crate) fn add(&mut self, at: u64, what: What) {
        let at = Instant::from_nanos(at);
        let record = Record { at, what };
        if self.records.len() < self.limit {
            self.records.push(record);
            return;
        }
        self.records[self.oldest] = record;
        self.oldest += 1;
        if self.oldest == self.limit {
            self.oldest = 0;
        }
    }

    pub(crate) fn into_records(mut self) -> Vec<Record> {
        self.records.rotate_left(self.oldest);
        self.records
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Theft;

    #[test]
    fn the_oldest_give_way() {
        for (added, kept) in [(0, 0..0), (2, 0..2), (3, 0..3), (7, 4..7), (9, 6..9)] {
            let mut log = Log::new(3);
            let what = What::Stolen {
                by: Theft::Dpc,
                processor: 0,
                length: Duration::ZERO,
            };
            (0..added).for_each(|at| log.add(at, what));
            let records = log.into_records().into_iter();
            assert!(
                records.map(|record| record.at.as_nanos()).eq(kept),
                "{added}"
            );
        }
    }
}
