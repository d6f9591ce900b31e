//! Kernel traces: from raw events to the cause of each late wake-up.
//!
//! | module | contents |
//! |---|---|
//! | [`event`] | the events of a trace, for every kernel |
//! | [`names`] | the names of threads and interrupts |
//! | [`trace`] | all events, in the order of time |
//! | [`chronicle`] | what the events mean: which thread had each processor, and what each thread did |
//! | [`waits`](mod@waits) | the timed waits of any program |
//! | [`explain`](mod@explain) | why a wake-up was late |
//! | [`tracefs`] | Linux traces: pages of the kernel's ring buffer |
//! | [`Capture`] | a trace that the kernel records now |
//! | [`recording`] | a trace in a file, to read later or on another machine |
//! | [`windows`] | Windows' own traces |
//! | `simulated` | the log of a simulated machine, as a trace (feature `sim`) |
//! | [`perfetto`] | a trace and its wake-ups as a file for Perfetto |
//! | [`segment`] | the result: the lateness of a wake-up, in segments that add up to it |
//! | [`report`] | the summary of many wake-ups |

pub mod chronicle;
mod cut;
pub mod event;
pub mod explain;
mod explainer;
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
pub mod windows;

pub use chronicle::Chronicle;
pub use event::{Event, Kind, ProcessorId, Symbol, ThreadId};
pub use explain::explain;
pub use explainer::Explainer;
pub use names::Names;
pub use os::{Capture, Starter};
pub use recording::Recording;
pub use report::Report;
pub use segment::{Cause, Lateness, Reason, Segment, Verdict, Wait, WakeUp, Who};
pub use trace::Trace;
pub use waits::waits;
