//! Timed waiting that can be trusted: threads wake when they asked to, for the least processor
//! time.
//!
//! ```
//! use punctual::{Period, Ticker};
//!
//! // 60 frames a second: not 17 ms, not 16,666,666 ns, but a sixtieth of a second, for ever.
//! for tick in Ticker::new(Period::from_hertz(60)).take(3) {
//!     println!("frame {}: {:?} late, {} missed", tick.index, tick.lateness(), tick.missed);
//! }
//! ```
//!
//! # Before you wait for a time
//!
//! Waiting for an *event* beats waiting for a time. A program that can block on the display's
//! vertical blank, the audio device, a socket or a condition variable should do that: it is woken
//! exactly when there is something to do, and pays for nothing. Wait for a time when time is all
//! there is to wait for.
//!
//! # What to reach for
//!
//! | you have | reach for |
//! |---|---|
//! | a loop at a rate | [`Ticker`], on an exact [`Period`] |
//! | one wait, or waits of all lengths | [`Sleeper`] |
//! | many timers, callbacks, `async` code | [`Driver`], and its [`Handle`] |
//! | an executor's least | [`block_on()`] |
//! | a wait that must end when somebody says so | [`Cancel`], for good; [`Notify`], once |
//! | a question: how punctual was it? | [`LatenessStats`] |
//! | a thread that must go before others | [`PriorityGuard`], [`PinGuard`], [`MemoryGuard`] |
//! | a program to test | [`VirtualOs`], and [how](os#code-of-ones-own-in-virtual-time) |
//! | an event loop of your own, or no standard library | [`Timers`], [`Schedule`] |
//!
//! The rest of the modules are for who wants to know more: [`margin`] says how it is learned how
//! early to be woken, [`driver`] what a driver promises, [`os`] what the operating system is to this
//! crate, and what becomes of waits when the machine is suspended.
//!
//! # What it promises
//!
//! - **Never early.** No wait ends before its deadline, whatever interrupts it.
//! - **Never drifts.** A deadline is computed from the start, not from the one before.
//! - **Never spins without a bound.** The share of time spent spinning is a number you state.
//! - **Leaves nothing behind.** Timer slack, priority and affinity are put back as they were found.
//!
//! *Lateness* has one meaning everywhere: from the deadline until the thread woke.
//!
//! # What it does not do
//!
//! It is not a real-time system: when the kernel gives the processor to somebody else, a wait ends
//! late, and [`Wake::lateness`] says by how much. It needs no privilege, reads no files, starts no
//! thread but the one that [a driver](Driver::start) is asked to, and keeps no global state but two
//! counters, of threads and of who has [memory locked](MemoryGuard). It runs
//! on 64-bit Linux and on Windows 10 and later, of which only Wine has run it; its macOS half nobody
//! has run. On other systems it compiles, and [`Native::detect`] says that they are not supported
//! yet.
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `std`, on by default | everything that waits. Without it there is what knows no clock, and needs only `alloc`: [`Timers`], [`Schedule`], [`Period`], [`Instant`], [`LatenessStats`] |
//! | `stream` | [`Ticks`] are a `futures_core::Stream` |
//! | `machines` | what machines are made of: exempt from semantic versioning |

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
mod lateness;
#[cfg(feature = "std")]
pub mod margin;
#[cfg(feature = "std")]
mod notify;
#[cfg(feature = "std")]
pub mod os;
mod period;
mod schedule;
#[cfg(feature = "std")]
mod sleeper;
#[cfg(feature = "std")]
mod ticker;
pub mod timers;

pub use error::Error;
pub use instant::Instant;
pub use lateness::{Arrival, LatenessStats, Summary};
pub use period::Period;
pub use schedule::{MissedTicks, Schedule, Tick};
pub use timers::{Fired, Key, Timers, Window};

#[cfg(feature = "std")]
pub use {
    block_on::block_on,
    cancel::{Cancel, Cancelled},
    driver::{
        Cancellation, Counters, Driver, DriverThread, Firing, Handle, ShutDown, Sleep, Ticks,
        TimedOut, Timer,
    },
    guard::{MemoryGuard, PinGuard, PriorityGuard},
    margin::{Budget, LateRate, Margin},
    notify::{Notified, Notify},
    os::{Native, Os, Panicked, Priority, Scheduling, Spin, Thread, VirtualOs, Woken},
    sleeper::{Sleeper, Wake},
    ticker::{Ended, Ticker},
};

/// The examples of the documents, tested like all others.
#[cfg(all(doctest, feature = "std"))]
mod documents {
    #[doc = include_str!("../README.md")]
    pub struct Readme;

    #[doc = include_str!("../docs/front-page.md")]
    pub struct FrontPage;

    #[doc = include_str!("../docs/library.md")]
    pub struct Library;
}
