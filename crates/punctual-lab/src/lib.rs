//! Experiments on timed waiting, written once and run on any [`Machine`].
//!
//! What comes in: a [question] and a [machine]. What goes out: a recording, which is data and JSON; words are the command's.
//!
//! | to change | open |
//! |---|---|
//! | a way to wait | `waiters.rs`, and a system's folder in `os/` |
//! | what is asked, and how turns are taken | `question.rs`, `measure/turns.rs` |
//! | loads, companions, priorities | `conditions.rs`, `children.rs` |
//! | what is known of a machine | `environment.rs`, `os/` |
//! | comparisons | `compare.rs` |
//!
//! A machine is an operating system ([`punctual::Os`]) together with its ways of waiting and the
//! facts about it. An experiment is a plain blocking function of a machine. The differences between
//! systems are data that the machine provides.
//!
//! | module | what it is |
//! |---|---|
//! | [`machine`] | what an experiment needs of a machine |
//! | [`waiters`] | ways to wait: what each can do, those that every machine has, and those of Windows |
//! | [`question`] | what an experiment is asked, as one value |
//! | [`confidence`] | how far the figures of simulated machines can be trusted |
//! | [`conditions`] | load, companions and priority during an experiment |
//! | [`measure`](mod@measure) | how late each way of waiting wakes |
//! | [`pace`] | how steadily each way of keeping a beat keeps it |
//! | [`calls`] | what bare waits take |
//! | [`vary`] | a condition that is varied |
//! | [`clocks`] | how good a machine's clocks are |
//! | [`resolution`] | the timer interval of Windows: what it is, and requests for another |
//! | [`compare`](mod@compare) | recordings compared, with confidence intervals |
//! | [`observer`] | follows an experiment while it runs |
//! | [`environment`] | the facts on which a measurement depends |
//! | [`doctor`] | what a machine permits, and the commands that permit the rest |
//! | [`children`], [`child`] | loads and companions as processes, from outside and inside |
//! | [`languages`] | what a wait takes in each language, on every Windows |
//! | `simulated` | simulated machines by name (feature `sim`) |
//! | `personas` | the waits of languages and their runtimes, on simulated machines (feature `sim`) |

pub mod calls;
pub mod child;
pub mod children;
pub mod clocks;
pub mod compare;
pub mod conditions;
pub mod confidence;
pub mod doctor;
pub mod environment;
pub mod languages;
pub mod limits;
pub mod machine;
pub mod measure;
pub mod observer;
mod os;
pub mod pace;
#[cfg(feature = "sim")]
pub mod personas;
pub mod question;
pub mod recording;
pub mod resolution;
pub mod schedule;
#[cfg(feature = "sim")]
pub mod simulated;
pub mod vary;
pub mod waiters;

pub use environment::Environment;
pub use machine::Machine;
pub use os::Native;
pub use waiters::contenders::{REQUESTED, SLICED, TUNED};

/// How much is tried: what finds the common mistakes, or with `PUNCTUAL_LONG=1` what finds rare ones, too.
#[cfg(test)]
fn effort(quick: u32, long: u32) -> u32 {
    match std::env::var_os("PUNCTUAL_LONG") {
        None => quick,
        Some(_) => long,
    }
}
