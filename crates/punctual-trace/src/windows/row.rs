//! The events of a Windows trace that matter, however they were written down.

use super::process::{ProcessIndex, Processes};
use crate::event::{Left, Symbol, ThreadId};
use crate::names::Names;

/// The latest time that a row has, 146 years: sums of two cannot overflow. No trace is longer, and times
/// that are later are damaged.
pub(super) const LATEST_NS: u64 = u64::MAX / 4;

/// A thread, and the process it is of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Named {
    pub(super) thread: ThreadId,
    pub(super) process: ProcessIndex,
}

/// An event. Times are in nanoseconds since the trace began.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// Its place among those of the same time: the number of the line, or of the record.
    pub(super) order: u32,
    pub(super) at: u64,
    pub(super) what: What,
}

/// What happened.
#[derive(Debug, Clone, Copy)]
pub(super) enum What {
    Switch(Switch),
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
        routine: Symbol,
    },
    Ended(Named),
    /// Something is missing before this, here or at an unknown place.
    Lost {
        processor: Option<u16>,
    },
}

/// A processor changes from one thread to another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Switch {
    pub(super) processor: u16,
    pub(super) previous: Named,
    /// The priorities, if the trace says them.
    pub(super) previous_priority: Option<u8>,
    pub(super) left: Left,
    pub(super) next: Named,
    pub(super) next_priority: Option<u8>,
}

/// All events that matter, and what the trace says of those that are missing.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) rows: Vec<Row>,
    /// The names of what is served.
    pub(super) names: Names,
    pub(super) processes: Processes,
    pub(super) unread: Unread,
    /// Whether events were lost, at an unknown place.
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

/// The order of the row of this number. Files have fewer: the shortest row has eight bytes.
pub(super) fn order(number: usize) -> u32 {
    const LAST: u32 = u32::MAX / 2 - 1;
    u32::try_from(number).map_or(LAST, |order| order.min(LAST))
}
