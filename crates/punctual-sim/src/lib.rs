//! Simulated machines in virtual time: threads, processes, processors and timers, repeatable to the
//! nanosecond.
//!
//! A program that waits through [`punctual::Os`] runs here unchanged, as plain blocking code. Only its
//! work takes real time: a simulated day of sleep passes in seconds.
//!
//! ```
//! use punctual::{Period, Sleeper, Ticker};
//! use punctual_sim::{Load, Plain, Setup, simulate};
//! use std::time::Duration;
//!
//! // A 60 Hz loop on a machine with two processors and three other busy programs.
//! let setup = Setup { loads: vec![Load::default(); 3], ..Setup::default() };
//! let run = simulate(setup, Plain::default(), |os| {
//!     let frames = Ticker::with_sleeper(Sleeper::on(os), Period::from_hertz(60));
//!     frames.take(600).map(|frame| frame.lateness()).max()
//! })?;
//! // Ready is not running: at least once the loop had to wait for the other programs.
//! assert!(run.value > Some(Duration::from_millis(1)));
//! # Ok::<(), punctual_sim::Error>(())
//! ```
//!
//! # Map
//!
//! What comes in: a [`Setup`], a model of an operating system, and a program. What goes out: a [`Run`], with what the program
//! returned, the log, and how processors were used.
//!
//! | part | contents |
//! |---|---|
//! | [`engine`] | virtual time and the event queue, independent of any operating system |
//! | [`random`] | random numbers that are the same on every computer |
//! | [`Setup`], [`Load`], [`Noise`], [`Limits`] | the setup of a machine |
//! | [`Machine`], [`Run`], [`Error`] | the run of a machine, and its result |
//! | [`simulate`], [`Plain`], [`SimOs`] | the plain machine: only exact timers and bells |
//! | [`faults`] | faults of a machine, drawn from a seed: waits that end early, late timers, clocks that stall |
//! | [`Kernel`], [`Model`], [`call()`], [`WaitList`] | the parts to build another operating system |
//! | [`windows`] | a simulated Windows, with the rules of each version that [`punctual_windows`] has |
//! | [`testing`] | how to test programs that wait |
//! | [`Record`] | the log: which threads were ready or ran, stolen time, expired timers |
//!
//! # What holds for every machine
//!
//! - **Ready is not running.** A thread whose wait is over gets a processor only if one is idle or runs
//!   a less urgent thread. It runs after the dispatch, which takes time too.
//! - **Every call takes time**, including a reading of the clock, and so does a spin. A call that is
//!   not interrupted by an event needs no switch of threads.
//! - **Every tie has a rule.** Events at the same nanosecond happen in the order of [`engine::Ties`].
//!   Threads of the same priority are served first in, first out. A thread prefers the processor that it
//!   had last, then the lowest number, both among idle processors and among those that run equally
//!   unimportant threads.
//! - **Only necessary events.** Idle processors, quanta without competing threads, and noise while
//!   nothing runs make no events.
//! - **The end of a process releases everything.** Its threads end with it, and the model is told. No
//!   destructor of a killed thread runs.
//! - **A deadlock is an error** that names each thread and what it waits for.
//!
//! # What it does not do
//!
//! The threads of one machine share the host thread that runs it. They do not run in parallel, and code
//! that blocks the host (a lock held across a call, `std::thread::sleep`) blocks all of them. A killed
//! thread keeps its stack until the host's process ends. `std::thread::panicking` says whether any
//! thread of the machine panics, not which.

mod call;
mod coroutine;
pub mod engine;
mod error;
pub mod faults;
mod inline_events;
mod kernel;
mod lifecycle;
mod machine;
mod plain;
mod processes;
mod processor;
pub mod random;
mod ready;
mod record;
mod schedule;
mod setup;
mod stolen_time;
mod thread;
mod wait_list;
pub mod windows;
mod world;

pub use call::{Called, Returned, call, call_and_wait, compute, records, spin_until};
pub use error::{Error, Exit};
pub use kernel::{Kernel, Model, Start};
pub use machine::{Machine, Run};
pub use plain::{
    FoundAffinity, FoundPriority, KernelTicks, MAX_BELLS, Plain, SimBell, SimOs, SimProcess,
    simulate,
};
pub use processes::ProcessId;
pub use processor::{Noise, NoiseSource, StolenTime};
pub use ready::PRIORITIES;
pub use record::{Named, Record, What};
pub use setup::{Limits, Load, MAX_PROCESSORS, NORMAL_PRIORITY, Setup};
pub use thread::{Ended, Reason, ThreadId, Waiter};
pub use wait_list::{WaitList, WakeOrder};

/// How to test programs that wait, on these machines and on simpler ones.
#[doc = include_str!("../docs/testing.md")]
pub mod testing {}
