//! Kernel traces: from raw events to the cause of each late wake-up.
//!
//! | module | what it is |
//! |---|---|
//! | [`event`] | what a trace says, whichever kernel wrote it |
//! | [`names`] | who is who in it |
//! | [`trace`] | all of it, in the order of time |
//! | [`segment`] | what comes out: a wake-up's lateness in segments that add up to it |

pub mod event;
pub mod names;
pub mod segment;
pub mod trace;

pub use event::{Event, Kind, ProcessorId, ThreadId};
pub use names::{Names, Symbol};
pub use segment::{Cause, Reason, Segment, Verdict, Wait, WakeUp, Who};
pub use trace::Trace;
