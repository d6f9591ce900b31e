//! Precise waits: threads wake when they asked to, for as little processor time as possible.
//!
//! ```
//! use punctual::{Period, Ticker};
//!
//! // 60 times a second: not every 17 ms, not every 16,666,666 ns, but every sixtieth of a second.
//! for tick in Ticker::new(Period::from_hertz(60)).take(3) {
//!     println!("frame {}: {:?} late, {} missed", tick.index, tick.lateness(), tick.missed);
//! }
//! ```
//!
//! # Before you wait for a time
//!
//! Wait for an *event* if you can: the display's vertical blank, the audio device, a socket, a
//! condition variable. The thread is then woken exactly when there is something to do, and no
//! processor time is spent on precision. Wait for a time if there is no such event.
//!
//! # What to use
//!
//! | you need | use |
//! |---|---|
//! | a loop at a rate | [`Ticker`], with an exact [`Period`] |
//! | one wait | [`sleep`], [`sleep_until`] |
//! | many waits, of any lengths | [`Sleeper`] |
//! | waits that give up a lock meanwhile, for other languages | [`Sleeper::begin`], which gives a [`Wait`] |
//! | many timers, callbacks, `async` code | [`Driver`], and its [`Handle`], with the feature `driver` |
//! | to run a future without an executor | [`block_on()`] |
//! | to end waits from another thread | [`Cancel`] ends all, [`Notify`] ends one |
//! | to end a wait by a signal | [`Ticker::tick_or_signal`], [`Wait::sleep`] with [`Signals::EndIt`] |
//! | statistics of lateness | [`LatenessStats`] |
//! | priority over other threads | [`PriorityGuard`], [`SliceGuard`], [`PinGuard`], [`MemoryGuard`] |
//! | to test your program | [`VirtualOs`], as [`os`](os#your-own-code-in-virtual-time) describes |
//! | your own event loop, or no standard library | [`Schedule`], and [`Timers`] with the feature `timers` |
//!
//! Three modules say more: [`margin`] how a sleeper learns how early to be woken, [`driver`] what a
//! driver promises, and [`os`] what this crate needs of the operating system, and what happens to
//! waits when the machine is suspended.
//!
//! # What it promises
//!
//! - **Never early.** No wait ends before its deadline, whatever interrupts it.
//! - **Never drifts.** A deadline is computed from the start, not from the one before.
//! - **Never spins without a bound.** The sleepers of a process together spin at most 5 % of one processor, or
//!   [another share](ProcessBudget) that you state. A sleeper with [a budget of its own](Sleeper::aiming_at) has that.
//! - **Leaves nothing behind.** Timer slack, slice, priority and affinity are restored.
//!
//! *Lateness* has one meaning everywhere: the time from the deadline until the thread woke.
//!
//! # What it needs, and where it runs
//!
//! It needs no privilege and reads no files. It starts no thread except in [`Driver::start`]. Its only
//! global state is two counters, of threads and of the holders of [locked memory](MemoryGuard), the
//! [budget of the process](ProcessBudget), and for each thread the number of those that
//! [hold its slice](Sleeper#what-it-holds-of-the-system) and the sleeper of [`sleep`].
//!
//! It runs on Linux and on Windows 10 and later. On Windows, only Wine has run it so far. The
//! macOS half has never run. On every other system that Rust's standard library knows, it waits with the
//! standard library and keeps the same promises; [`Native::is_precise`] tells.
//!
//! The oldest Rust that builds it is 1.85.
//!
//! It is not a real-time system. When the kernel gives the processor to another program, a wait ends
//! late, and [`Wake::lateness`] says by how much.
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `std`, on by default | everything that waits. Without it, the crate has the types that read no clock and need only `alloc`: [`Schedule`], [`Period`], [`Instant`], [`LatenessStats`] |
//! | `driver` | [`Driver`], for many timers, callbacks and `async` code |
//! | `timers` | [`Timers`], its queue alone. It needs no `std` |
//! | `stream` | [`Ticks`] are a `futures_core::Stream` |
//! | `machines` | traits to implement other machines; exempt from semantic versioning |

// What comes in: a deadline, a schedule or a timer, and an operating system. What goes out: when the thread woke.
//
// | to change | open |
// |---|---|
// | what is asked of an operating system; a system's calls | `os.rs`; its folder in `os/` |
// | a wait; how early it is to end | `sleeper/wait.rs`; `margin.rs` |
// | deadlines of a loop | `schedule.rs`, `ticker.rs` |
// | the timer queue; who serves it, and what programs call | `timers.rs`; `driver.rs`, `driver/handle.rs` |

#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

#[cfg(feature = "std")]
mod block_on;
#[cfg(feature = "std")]
mod cancel;
#[cfg(feature = "driver")]
pub mod driver;
#[cfg(feature = "std")]
mod ended;
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
mod opaque;
#[cfg(feature = "std")]
pub mod os;
mod period;
mod schedule;
#[cfg(feature = "std")]
mod sleeper;
#[cfg(feature = "std")]
mod ticker;
#[cfg(feature = "timers")]
pub mod timers;
mod window;

pub use error::Error;
pub use instant::Instant;
pub use lateness::{Arrival, LatenessStats, Summary};
pub use period::Period;
pub use schedule::{MissedTicks, Schedule, Tick};
#[cfg(feature = "timers")]
pub use timers::{Fired, Key, Timers};
pub use window::Window;

#[cfg(feature = "driver")]
pub use driver::{
    Cancellation, Counters, Driver, DriverThread, Firing, Handle, ShutDown, Sleep, Ticks, TimedOut,
    Timer,
};

#[cfg(feature = "std")]
pub use {
    block_on::block_on,
    cancel::{Cancel, Cancelled},
    ended::Ended,
    guard::{MemoryGuard, PinGuard, PriorityGuard, SliceGuard},
    margin::{Budget, LateRate, Margin, ProcessBudget},
    notify::{Notified, Notify},
    os::{
        Native, Os, Panicked, Priority, Scheduling, Slice, Spin, Thread, VirtualOs, Woken, sleep,
        sleep_until,
    },
    sleeper::{Phase, Rest, Signals, Sleeper, Start, Wait, Wake},
    ticker::Ticker,
};

/// The examples of the documents, tested like all other examples.
#[cfg(all(doctest, feature = "driver"))]
mod documents {
    #[doc = include_str!("../README.md")]
    pub struct Readme;

    #[doc = include_str!("../docs/front-page.md")]
    pub struct FrontPage;

    #[doc = include_str!("../docs/library.md")]
    pub struct Library;
}
