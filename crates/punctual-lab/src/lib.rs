//! Experiments on timed waiting, written once and run on any [`Machine`].
//!
//! A machine is an operating system ([`punctual::Os`]) together with the ways of waiting it offers
//! and what is known about it. An experiment is a plain blocking function of a machine; what differs
//! between systems is data it asks the machine for.
//!
//! | module | what it is |
//! |---|---|
//! | [`machine`] | what an experiment asks of a machine |
//! | [`method`], [`methods`] | a way of waiting, and those that every machine has |
//! | [`experiment`] | a measurement from its first system call to its last |
//! | [`measure`](mod@measure) | its heart: all methods in turn, under the same conditions |
//! | [`pace`] | another experiment: how steadily does each way of keeping a beat keep it |
//! | [`clocks`] | and another: what the machine's clocks are worth |
//! | [`load`] | what else the machine is made to do meanwhile |
//! | [`companion`] | who else is on it |
//! | [`doctor`] | what a machine permits, and what would permit the rest |
//! | [`environment`] | the facts that a measurement depends on |
//! | [`statistics`] | lateness per wake and per deadline |
//! | `simulated` | machines that nobody owns, by name (feature `sim`) |
//! | `evidence` | published measurements, replayed on them (feature `sim`) |
//! | [`resolution`] | the timer interval of a Windows: what it is, and asking for another |
//! | [`sweep`] | "The Great Rule Change": what a request for an interval does to a process |
//! | [`slack`] | sleeps under each of many timer slacks (Linux) |
//! | [`recording`] | all of it as versioned JSON |
//! | [`compare`](mod@compare) | recordings against each other: which differences mean something |

pub mod child;
pub mod children;
pub mod clocks;
pub mod compare;
pub mod conditions;
mod contenders;
pub mod doctor;
pub mod environment;
#[cfg(feature = "sim")]
pub mod evidence;
pub mod machine;
pub mod measure;
pub mod methods;
pub mod observer;
mod os;
pub mod pace;
pub mod quantity;
pub mod question;
pub mod resolution;
#[cfg(feature = "sim")]
pub mod simulated;
pub mod slack;
pub mod statistics;
pub mod sweep;

pub use contenders::{REQUESTED, TUNED};
pub use environment::Environment;
pub use machine::Machine;
pub use os::Native;

/// A duration in whole nanoseconds, of which 64 bits hold 584 years.
pub(crate) fn nanos(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
