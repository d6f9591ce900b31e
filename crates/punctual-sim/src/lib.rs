//! Simulated machines in virtual time: threads, processes, processors and timers, repeatable to the
//! nanosecond.
//!
//! A program that waits through [`punctual::Os`] runs here unchanged, as plain blocking code, and
//! takes no longer than its work: a simulated day of sleeping passes in seconds.
//!
//! ```
//! use punctual::{Period, Sleeper, Ticker};
//! use punctual_sim::{Load, Plain, Setup, simulate};
//! use std::time::Duration;
//!
//! // A 60 Hz loop on a machine whose two processors are wanted by three other programs.
//! let setup = Setup { loads: vec![Load::default(); 3], ..Setup::default() };
//! let run = simulate(setup, Plain::default(), |os| {
//!     let frames = Ticker::with_sleeper(Sleeper::on(os), Period::from_hertz(60));
//!     frames.take(600).map(|frame| frame.lateness()).max()
//! })?;
//! // Ready is not running: once it was its turn after everybody else's.
//! assert!(run.value > Some(Duration::from_millis(1)));
//! # Ok::<(), punctual_sim::Error>(())
//! ```
//!
//! # Map
//!
//! | part | what it is |
//! |---|---|
//! | [`engine`] | virtual time and the event queue; knows no operating system |
//! | [`random`] | chance that is the same everywhere and for ever |
//! | [`Setup`], [`Load`], [`Noise`], [`Limits`] | a machine before it runs |
//! | [`Machine`], [`Run`], [`Error`] | running it, and what came of it |
//! | [`simulate`], [`Plain`], [`SimOs`] | the plain machine: exact timers, bells, nothing else |
//! | [`Kernel`], [`Model`], [`call()`], [`WaitList`] | for whoever builds another operating system |
//! | [`windows`] | Windows' timer rules, version by version, and [machines](windows::machine) that go by them |
//! | [`testing`] | how programs that wait are tested |
//! | [`Record`] | the log: who was ready, who ran, what was stolen, which timers expired |
//!
//! # What holds for every machine
//!
//! - **Ready is not running.** A thread whose wait is over has a processor only when one is free or
//!   runs somebody less urgent, and goes on only when the dispatch is paid for.
//! - **Every call takes time**, looking at the clock included, and so does spinning. What a call
//!   costs is paid without a switch unless something else happens first.
//! - **Ties have an owner.** Events at the same nanosecond happen in the order of [`engine::Ties`];
//!   equals among threads are served first in, first out; of several idle processors a thread gets
//!   the one it had last, else the lowest number; of several equally unimportant threads it takes
//!   the processor it had last, else the lowest number.
//! - **No event for nothing.** Idle processors, quanta that nobody competes for, and noise while
//!   nobody runs make no events.
//! - **Ending releases.** However a process ends, its threads end with it and the model is told; no
//!   destructor runs of a thread that was cut off.
//! - **Deadlock is an error** that names who waits for what.
//!
//! # What it does not do
//!
//! Threads of one machine share the host thread that runs it: nothing they do happens in parallel,
//! and what blocks the host (a lock held across a call, `std::thread::sleep`) blocks them all. A
//! thread that is cut off keeps its stack until the host's process ends. `std::thread::panicking`
//! tells whether any thread of the machine is, not which.

mod call;
mod coroutine;
pub mod engine;
mod error;
#[cfg(feature = "evidence")]
pub mod evidence;
mod kernel;
mod lives;
mod machine;
mod passing;
mod plain;
mod process;
mod processor;
mod queueing;
pub mod random;
mod ready;
mod record;
mod schedule;
mod setup;
mod theft;
mod thread;
mod wait_list;
pub mod windows;
mod world;

pub use call::{Called, Returned, call, call_and_wait, compute, spin_until};
pub use error::Error;
pub use kernel::{Kernel, Model, Start};
pub use machine::{Machine, Run};
pub use plain::{
    FoundAffinity, FoundPriority, MAX_BELLS, Plain, SimBell, SimOs, SimProcess, simulate,
};
pub use process::{Exit, ProcessId};
pub use processor::{Noise, NoiseSource, Theft};
pub use ready::PRIORITIES;
pub use record::{Named, Record, What};
pub use setup::{Limits, Load, MAX_PROCESSORS, NORMAL_PRIORITY, Setup};
pub use thread::{Ended, Reason, ThreadId, Waiter};
pub use wait_list::{WaitList, WakeOrder};

/// How programs that wait are tested, on these machines and on simpler ones.
#[doc = include_str!("../docs/testing.md")]
pub mod testing {}

/// The example of the package's README, tested like all others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
