//! The events of a Windows trace that matter, however they were written down.

use super::process::Process;
use crate::event::{Left, ThreadId};
use std::sync::Arc;

/// The latest time that a row has, 146 years: sums of two cannot overflow. No trace is longer, and times
/// that are later are damaged.
pub(super) const LATEST_NS: u64 = u64::MAX / 4;

/// A thread, and the process it is of.
#[derive(Debug, Clone)]
pub(super) struct Named {
    pub(super) thread: ThreadId,
    pub(super) process: Arc<Process>,
}

/// An event. Times are in nanoseconds since the trace began.
#[derive(Debug, Clone)]
pub(super) struct Row {
    /// Its place among those of the same time: the number of the line, or of the record.
    pub(super) order: usize,
    pub(super) at: u64,
    pub(super) what: What,
}

/// What happened.
#[derive(Debug, Clone)]
pub(super) enum What {
    Switch {
        processor: u16,
        previous: Named,
        left: Left,
        next: Named,
    },
    Ready {
        /// Whose turn it was where the thread was made ready.
        running: ThreadId,
        thread: Named,
        /// Whether a DPC did it, if the trace says so.
        in_dpc: Option<bool>,
        /// Where, if the trace says so.
        processor: Option<u16>,
    },
    /// An interrupt or DPC is done.
    Served {
        processor: u16,
        from: u64,
        is_dpc: bool,
        who: Arc<str>,
    },
    Ended(Named),
    /// Something is missing before this, here or nobody knows where.
    Lost {
        processor: Option<u16>,
    },
}

/// All events that matter, and what the trace says of those that are missing.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) rows: Vec<Row>,
    pub(super) unread: Unread,
    /// Whether events were lost, nobody knows where.
    pub(super) are_incomplete: bool,
    /// Before this, switches are missing.
    pub(super) reliable_from: u64,
    /// Time stamps that belong together may be so far apart.
    pub(super) rounding: u64,
}

/// Lines or records of kinds that matter that could not be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unread {
    /// How many.
    pub count: u64,
    /// What was wrong with the first, and where it is.
    pub first: Option<String>,
}
