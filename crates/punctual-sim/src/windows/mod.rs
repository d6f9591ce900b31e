//! How Windows ends timed waits, version by version: pure functions of rules, clock and wait.
//!
//! These functions run nothing themselves. An engine that simulates a machine asks them which tick ends
//! which wait. So can an emulator that holds a real program's waits until Windows would have ended them.
//!
//! | module | contents |
//! |---|---|
//! | [`Rules`], [`Version`] | the rules as data, one set per version of Windows |
//! | [`choices`] | the possible values of each rule |
//! | [`MachineParameters`] | the differences between machines with the same Windows |
//! | [`ClockError`], [`DeviceNoise`] | two of these: the error of a clock, and the noise of devices |
//! | [`TimerInterrupt`] | the clock, the requests and the classes of waits of a machine, in step |
//! | [`Requests`], [`Clock`], [`OtherWaits`] | its parts |
//! | [`expiry`] | due times, classes, tolerable delays, message timers |
//! | [`Periodic`], [`HighResolutionTimer`] | timers with their own schedule |
//! | [`confidence`] | how far a prediction can be trusted |
//! | [`Powercfg`] | what `powercfg` shows on a machine |
//! | [`machine`] | a simulated machine that follows all these rules; the only part with an engine |
//!
//! The rules are numbered C1 to C13, as in the evidence. Its published numbers decide whether they
//! hold. Durations are integers: nanoseconds where programs see them, and [femtoseconds](Femtos) in
//! computations of ticks.

mod choice;
pub mod choices;
mod clock;
mod clock_error;
pub mod confidence;
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
pub use requests::{Requester, Requests, Standing, TimerThrottling, multimedia_request};
pub use rules::{Rule, Rules};
pub use versions::{
    VERSIONS, Version, WINDOWS_7, WINDOWS_8, WINDOWS_10_1909, WINDOWS_10_2004, WINDOWS_11,
    WINDOWS_XP,
};
