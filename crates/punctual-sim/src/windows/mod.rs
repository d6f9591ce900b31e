//! How Windows ends timed waits, version by version: pure functions of rules, clock and wait.
//!
//! Nothing here runs anything. An engine that simulates a machine asks these functions which tick
//! ends which wait; so can an emulator that holds a real program's waits until Windows would have
//! ended them.
//!
//! | module | what it is |
//! |---|---|
//! | [`Rules`], [`Version`] | the rules as data, and one set of them per version of Windows |
//! | [`choices`] | what each rule can be |
//! | [`MachineParameters`] | what differs between machines with the same Windows |
//! | [`ClockError`], [`DeviceNoise`] | two of them: a clock that errs, and devices that interrupt |
//! | [`TimerInterrupt`] | a machine's clock, requests and classes of waits, kept in step |
//! | [`Requests`], [`Clock`], [`OtherWaits`] | its parts |
//! | [`expiry`] | due times, classes, tolerable delays, message timers |
//! | [`Periodic`], [`HighResolutionTimer`] | timers that have a schedule of their own |
//! | [`Powercfg`] | what a machine says about itself |
//! | [`machine`] | a simulated machine that goes by all this: the one part with an engine |
//!
//! The rules are numbered C1 to C13 as in the directory of evidence, whose published numbers decide
//! whether they hold. Lengths of time are integers throughout: nanoseconds where programs see them,
//! [femtoseconds](Femtos) where ticks are computed.

mod choice;
pub mod choices;
mod clock;
mod clock_error;
mod device_noise;
pub mod expiry;
mod femtos;
mod high_resolution;
mod interrupt;
pub mod machine;
mod others;
mod parameters;
mod periodic;
mod powercfg;
mod quantity;
mod requests;
mod rules;
mod versions;

pub use clock::{Clock, tick_interval};
pub use clock_error::ClockError;
pub use device_noise::{DeviceNoise, Disturbance};
pub use expiry::{Class, WaitKind};
pub use femtos::Femtos;
pub use high_resolution::HighResolutionTimer;
pub use interrupt::TimerInterrupt;
pub use others::{OtherWaits, Rhythm};
pub use parameters::{MachineParameters, Parameter};
pub use periodic::Periodic;
pub use powercfg::Powercfg;
pub use punctual::os::windows::WindowsOs;
pub use quantity::{parse_duration, parse_femtos};
pub use requests::{Requester, Requests, TimerThrottling, multimedia_request};
pub use rules::{Rule, Rules};
pub use versions::{
    VERSIONS, Version, WINDOWS_7, WINDOWS_8, WINDOWS_10_1909, WINDOWS_10_2004, WINDOWS_11,
    WINDOWS_XP,
};
