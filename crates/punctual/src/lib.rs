//! Timed waiting that can be trusted: threads wake when they asked to, for the least processor
//! time.
//!
//! ```
//! use punctual::{Period, Ticker};
//!
//! // 60 frames a second: not 17 ms, not 16,666,666 ns, but a sixtieth of a second, for ever.
//! let frames = Ticker::new(Period::from_hertz(60));
//! for tick in frames.take(3) {
//!     println!("frame {}: {:?} late, {} missed", tick.index, tick.lateness(), tick.missed);
//! }
//! # Ok::<(), punctual::Error>(())
//! ```
//!
//! # Before you wait for a time
//!
//! Waiting for an *event* beats waiting for a time. A program that can block on the display's
//! vertical blank, the audio device, a socket or a condition variable should do that: it is woken
//! exactly when there is something to do, and pays for nothing. Wait for a time when time is all
//! there is to wait for.
//!
//! # Map
//!
//! | module | what it is |
//! |---|---|
//! | [`Sleeper`] | one precise sleep at a time: a system wait, then a short spin |
//! | [`Ticker`], [`Period`] | a loop that never drifts, on an exact rational period |
//! | [`Margin`](margin) | learns how early to be woken; knows no clock |
//! | [`Timers`] | a timer queue for millions of timers; knows no clock |
//! | [`Driver`], [`driver`] | one thread that serves a timer queue: callbacks and futures |
//! | [`block_on()`] | runs a future on this thread, on any machine |
//! | [`Schedule`] | the deadlines of whatever repeats; knows no clock |
//! | [`Cancel`] | ends waits from another thread |
//! | [`guard`] | a raised priority or a processor of one's own, given back on drop |
//! | [`os`] | the operating system as a value: [`Native`], and [`os::VirtualOs`] for tests |
//!
//! # What it promises
//!
//! - **Never early.** No wait ends before its deadline, whatever interrupts it.
//! - **Never drifts.** A deadline is computed from the start, not from the one before.
//! - **Never spins without a bound.** The share of time spent spinning is a number you state.
//! - **Leaves nothing behind.** Timer slack, priority and affinity are put back as they were found.
//!
//! # What it does not do
//!
//! It is not a real-time system: when the kernel gives the processor to somebody else, a wait ends
//! late, and [`Wake::lateness`] says by how much. It needs no privilege, reads no files, starts no
//! thread but the one that [a driver](Driver::start) is asked to, and keeps no global state. It runs
//! on 64-bit Linux and on Windows 10 and later, of which only Wine has run it; its macOS half nobody
//! has run. On other systems it compiles, and [`Native::detect`] says that they are not supported
//! yet.
//!
//! # Without the standard library
//!
//! What knows no clock needs only `alloc`: without the feature `std`, which is on by default, there
//! are [`Timers`], [`Schedule`], [`Period`] and [`Instant`].

#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

#[cfg(feature = "std")]
mod block_on;
#[cfg(feature = "std")]
mod cancel;
#[cfg(feature = "std")]
pub mod driver;
mod error;
#[cfg(feature = "std")]
pub mod guard;
mod instant;
#[cfg(feature = "std")]
pub mod margin;
#[cfg(feature = "std")]
pub mod os;
mod period;
mod schedule;
#[cfg(feature = "std")]
mod sleeper;
#[cfg(feature = "std")]
mod ticker;
pub mod timers;

#[cfg(feature = "std")]
pub use block_on::block_on;
#[cfg(feature = "std")]
pub use cancel::{Cancel, Cancelled};
#[cfg(feature = "std")]
pub use driver::Driver;
pub use error::Error;
pub use instant::Instant;
#[cfg(feature = "std")]
pub use margin::Margin;
#[cfg(feature = "std")]
pub use os::{Native, Os, Priority, Spin};
pub use period::Period;
pub use schedule::{MissedTicks, Schedule, Tick};
#[cfg(feature = "std")]
pub use sleeper::{Sleeper, Wake};
#[cfg(feature = "std")]
pub use ticker::{Ended, Ticker};
pub use timers::Timers;

/// The examples of the README, tested like all others.
#[cfg(all(doctest, feature = "std"))]
#[doc = include_str!("../../../README.md")]
pub struct Readme;
