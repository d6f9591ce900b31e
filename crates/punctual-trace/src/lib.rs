//! Kernel traces: from raw events to the cause of each late wake-up.
//!
//! What comes in: events of a kernel, live or from a file, and whose waits are asked about. What goes out: each wake-up
//! with its lateness in [segments](segment), each with its cause, and summaries of many.
//!
//! | to change | open |
//! |---|---|
//! | what a cause is, and which one a stretch of time has | `explain.rs`, `segment.rs` |
//! | what events mean for threads and processors | `chronicle.rs` |
//! | how Linux is recorded, and its events are read | `tracefs.rs`, `os/linux/` |
//! | how logs of Windows are read | `windows.rs` |
//! | what is kept of late wake-ups, in memory and in files | `recorder.rs` |
//! | what a summary has | `report.rs` |
//!
//! | module | contents |
//! |---|---|
//! | [`event`] | the events of a trace, for every kernel |
//! | [`names`] | the names of threads and interrupts |
//! | [`trace`] | all events, in the order of time |
//! | [`chronicle`] | what the events mean: which thread had each processor, and what each thread did |
//! | [`waits`](mod@waits) | the timed waits of any program |
//! | [`program`] | all wake-ups of a program |
//! | [`place`] | where a function of a program begins |
//! | [`scope`] | what of a program is explained |
//! | [`grid`] | the deadlines of a periodic program, which its wake-ups reveal |
//! | [`blocking_calls`] | the system calls in which a program waits |
//! | [`explain`](mod@explain) | why a wake-up was late |
//! | [`tracefs`] | Linux traces: pages of the kernel's ring buffer |
//! | [`Capture`] | a trace that the kernel records now |
//! | [`file`](mod@file) | the kinds of files that traces come in |
//! | [`recording`] | a trace in a file, to read later or on another machine |
//! | [`recorder`] | a flight recorder: the last moments of a trace, and late wake-ups that are saved with theirs |
//! | [`windows`] | Windows' own traces |
//! | `simulated` | the log of a simulated machine, as a trace (feature `sim`) |
//! | [`perfetto`] | a trace and its wake-ups as a file for Perfetto |
//! | [`segment`] | the result: the lateness of a wake-up, in segments that add up to it |
//! | [`report`] | the summary of many wake-ups |
//! | [`advice`](mod@advice), [`remarks`] | what to do about each cause, and what a reader must know of a program's explained part |

pub mod advice;
pub mod blocking_calls;
pub mod chronicle;
pub mod event;
pub mod explain;
mod explainer;
pub mod file;
pub mod grid;
pub mod info;
pub mod names;
mod os;
pub mod outcome;
mod pending;
mod per_thread;
pub mod perfetto;
mod periodic;
pub mod place;
pub mod program;
mod queues;
pub mod recorder;
pub mod recording;
pub mod remarks;
pub mod report;
pub mod scope;
pub mod segment;
#[cfg(feature = "sim")]
pub mod simulated;
mod splitter;
pub mod trace;
pub mod tracefs;
pub mod waits;
mod wakers;
pub mod wall_clock;
pub mod windows;

pub use chronicle::Chronicle;
pub use event::{Event, Kind, ProcessorId, Symbol, ThreadId};
pub use explain::explain;
pub use explainer::Explainer;
pub use names::Names;
pub use os::{Capture, KernelFunctions, Starter};
pub use place::Place;
pub use recording::Recording;
pub use report::Report;
pub use segment::{
    Cause, Lateness, Occupant, Preemption, Reason, Segment, Stack, Verdict, Wait, WakeUp, Waker,
};
pub use trace::Trace;
pub use waits::waits;
