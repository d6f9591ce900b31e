//! Kernel traces: from raw events to the cause of each late wake-up.
//!
//! | module | what it is |
//! |---|---|
//! | [`event`] | what a trace says, whichever kernel wrote it |
//! | [`names`] | who is who in it |
//! | [`trace`] | all of it, in the order of time |
//! | [`chronicle`] | what it amounts to: who had each processor when, what each thread did |
//! | [`waits`](mod@waits) | the timed waits of a program that knows nothing of us |
//! | [`explain`](mod@explain) | why a wake-up was late |
//! | [`tracefs`] | Linux' traces: pages of its ring buffer |
//! | [`Capture`] | the kernel writes a trace for us |
//! | [`recording`] | a trace in a file, to be read again later or elsewhere |
//! | [`xperf`] | Windows' own traces, as text |
//! | `simulated` | the log of a simulated machine, as a trace (feature `sim`) |
//! | [`perfetto`] | the same as a picture for Perfetto |
//! | [`segment`] | what comes out: a wake-up's lateness in segments that add up to it |
//! | [`report`] | what many of them say together |

pub mod chronicle;
mod cut;
pub mod event;
pub mod explain;
pub mod names;
mod os;
pub mod perfetto;
mod queues;
pub mod recording;
pub mod report;
pub mod segment;
#[cfg(feature = "sim")]
pub mod simulated;
pub mod trace;
pub mod tracefs;
pub mod waits;
pub mod xperf;

pub use chronicle::Chronicle;
pub use event::{Event, Kind, ProcessorId, ThreadId};
pub use explain::explain;
pub use names::{Names, Symbol};
pub use os::{Capture, Starter};
pub use recording::Recording;
pub use report::Report;
pub use segment::{Cause, Reason, Segment, Verdict, Wait, WakeUp, Who};
pub use trace::Trace;
pub use waits::waits;
