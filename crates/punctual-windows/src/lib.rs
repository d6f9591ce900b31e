//! How Windows ends timed waits, version by version: pure functions of rules, clock and wait.
//!
//! What comes in is a machine (its [`Rules`], [`MachineParameters`] and [`Requests`]) and a wait that begins. What goes
//! out is the tick that ends the wait, and [how far](confidence) that can be trusted. These functions run nothing
//! themselves. An engine that simulates a machine asks them which tick ends which wait. So can an emulator that holds a
//! real program's waits until Windows would have ended them.
//!
//! They need only `alloc`. With the feature `std` there are also the [`personas`], which are read from files, and the calls
//! of Windows that [only experiments make](os::windows).
//!
//! ```
//! use punctual::Instant;
//! use punctual_windows::{MachineParameters, Requester, TimerInterrupt, WINDOWS_10_2004, WaitKind};
//! use std::time::Duration;
//!
//! // Process 2 asks for ticks every millisecond, and process 1 sleeps.
//! let at = |micros: u64| Instant::from_nanos(micros * 1_000);
//! let millisecond = Duration::from_millis(1);
//! let mut timer = TimerInterrupt::new(WINDOWS_10_2004, MachineParameters::default(), at(0));
//! timer.begin_request(at(0), Requester::Process(2), millisecond);
//! let class = timer.class(1, WaitKind::Ordinary);
//! let end = timer.next_expiry(class, timer.due_time(at(20_000), millisecond));
//! assert!(end > at(30_000), "since version 2004 another process's request does not help");
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`Rules`], [`Version`] | the rules as data, one set per version of Windows |
//! | [`choices`] | the possible values of each rule |
//! | [`MachineParameters`] | the differences between machines with the same Windows |
//! | [`ClockError`], [`DeviceNoise`] | two of these: the error of a clock, and the noise of devices |
//! | [`TimerInterrupt`] | the clock, the requests and the classes of waits of a machine, in step |
//! | [`Requests`], [`Clock`], [`OtherWaits`] | its parts |
//! | [`Standing`] | what decides whether requests of a process count |
//! | [`expiry`] | due times, classes, tolerable delays, message timers |
//! | [`Periodic`], [`HighResolutionTimer`] | timers with their own schedule |
//! | [`Companion`] | what else runs on a machine, as data |
//! | [`confidence`] | how far a prediction can be trusted |
//! | [`mechanisms`] | what Windows has to wait with, each once |
//! | [`personas`] | which calls of Windows the waits of languages become |
//! | [`resolution`] | the timer interval of a Windows: observed, and requested |
//! | [`Powercfg`], [`requesters`] | what `powercfg` shows on a machine, and who has requested an interval by its report |
//!
//! The rules are numbered C1 to C13, as in the evidence. Its published numbers decide whether they
//! hold. Durations are integers: nanoseconds where programs see them, and [femtoseconds](Femtos) in
//! computations of ticks.

#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

#[cfg(feature = "std")]
pub mod catalogue;
pub mod choices;
mod clock;
mod clock_error;
mod companion;
pub mod confidence;
mod device_noise;
pub mod expiry;
mod femtos;
mod high_resolution;
mod interrupt;
pub mod mechanisms;
#[cfg(feature = "std")]
pub mod os;
mod others;
mod parameters;
mod periodic;
#[cfg(feature = "std")]
pub mod personas;
mod quantity;
#[cfg(feature = "std")]
pub mod requesters;
mod requests;
#[cfg(feature = "std")]
pub mod resolution;
mod rules;
mod standing;
mod versions;

pub use clock::{Clock, tick_interval};
pub use clock_error::ClockError;
pub use companion::Companion;
pub use device_noise::{DeviceNoise, Disturbance};
pub use expiry::{Class, WaitKind};
pub use femtos::Femtos;
pub use high_resolution::HighResolutionTimer;
pub use interrupt::TimerInterrupt;
pub use others::{OtherWaits, Rhythm};
pub use parameters::{MachineParameters, Parameter};
pub use periodic::Periodic;
pub use quantity::{NANOS_PER_UNIT, parse_duration, parse_femtos};
pub use requests::{Powercfg, Requester, Requests, multimedia_request};
pub use rules::{Rule, Rules};
pub use standing::{Standing, Throttling};
pub use versions::{
    Edition, VERSIONS, Version, WINDOWS_7, WINDOWS_8, WINDOWS_10_1909, WINDOWS_10_2004, WINDOWS_11,
    WINDOWS_SERVER_2022, WINDOWS_XP, short,
};

/// The schema of what is known: the rules of the machines, or the waits of runtimes.
#[cfg(feature = "std")]
const SCHEMA: &str = "punctual.windows/1";
