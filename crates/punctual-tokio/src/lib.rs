//! [`tokio::time`], exact to microseconds: the same names and signatures, over a [`Driver`] of
//! Punctual.
//!
//! tokio's timers go by milliseconds: `sleep(500 µs)` takes one to two milliseconds. To change that, change one
//! line, or one path:
//!
//! ```
//! use punctual_tokio as time;
//! use std::time::Duration;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! time::sleep(Duration::from_micros(500)).await;
//!
//! let mut beats = time::interval(Duration::from_micros(250));
//! for _ in 0..4 {
//!     beats.tick().await;
//! }
//!
//! let answer = time::timeout(Duration::from_micros(300), std::future::pending::<()>()).await;
//! assert!(answer.is_err());
//! # }
//! ```
//!
//! A timer is never early. How late a task gets to run, its runtime decides too: a worker that is busy
//! or asleep must first turn to the task.
//!
//! # The driver
//!
//! One thread of the process serves all timers: a [`Driver`] that is started when the first timer is
//! made, and that spins for at most 5 % of the time. [`Time::with_driver`] takes a driver of your own,
//! with another budget or priority.
//!
//! # Tolerance
//!
//! A timer that may be later than its deadline says so, and shares its wake-up with others:
//!
//! ```
//! use std::time::Duration;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let nap = punctual_tokio::sleep(Duration::from_millis(2));
//! nap.tolerating(Duration::from_millis(1)).await;
//! # }
//! ```
//!
//! # What differs from `tokio::time`
//!
//! - Timers need no runtime with `enable_time`, and no runtime at all: `block_on(sleep(..))` works
//!   with any executor.
//! - [`Sleep`] is `Unpin`: it can be awaited by reference without being pinned.
//! - An [`Interval`] counts a tick as missed if it is more than five milliseconds late, as tokio's
//!   does, or more than a period, if that is shorter.
//! - [`Elapsed`](error::Elapsed) is this crate's own type, with the same conversion to
//!   [`std::io::Error`].
//! - A timer that outlives its runtime goes on, because the runtime does not hold it.
//! - In the child after a `fork`, a new driver is started when it is needed.
//!
//! # Paused clocks
//!
//! Where `tokio::time::pause` was called, timers wait with tokio's own, in its virtual time. So tests with
//! `start_paused = true` work as before, to the millisecond. They need no more than tokio's feature
//! `test-util`, as before, in whichever crate they are. A timer finds out when it is made and when it is
//! polled: one that a task already waits for when the clock is paused keeps real time.
//!
//! A build without tokio's `test-util` pays nothing for this. In one with it, a timer reads the clock up to
//! six times more. The feature `test-util` of this crate adds `pause`, `advance` and `resume` to its names.

// What comes in: the calls of `tokio::time`. What goes out: futures that a driver of Punctual wakes. To change a call, open the
// file of its name; which driver serves it, `time.rs`; how both clocks are joined, `clock.rs`.

mod clock;
pub mod error;
mod interval;
mod shared;
mod sleep;
mod time;
mod timeout;

pub use interval::Interval;
pub use sleep::Sleep;
pub use time::Time;
pub use timeout::Timeout;

pub use std::time::Duration;
pub use tokio::time::{Instant, MissedTickBehavior};
#[cfg(feature = "test-util")]
pub use tokio::time::{advance, pause, resume};

#[cfg(doc)]
use punctual::Driver;
use sleep::Origin;
use std::future::IntoFuture;

/// Waits until `duration` has passed since this call.
///
/// The future may be dropped at any time, which cancels the timer.
///
/// # Panics
/// If the shared driver cannot be started: see [`Time::shared`].
///
/// ```
/// use punctual_tokio::{Duration, Instant, sleep};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let begun = Instant::now();
/// sleep(Duration::from_micros(100)).await;
/// assert!(begun.elapsed() >= Duration::from_micros(100));
/// # }
/// ```
pub fn sleep(duration: Duration) -> Sleep {
    Sleep::after(shared::handle(), Origin::Shared, duration)
}

/// Waits until `deadline`.
///
/// # Panics
/// If the shared driver cannot be started: see [`Time::shared`].
///
/// ```
/// use punctual_tokio::{Duration, Instant, sleep_until};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let deadline = Instant::now() + Duration::from_micros(100);
/// sleep_until(deadline).await;
/// assert!(Instant::now() >= deadline);
/// // Instants of the standard library are converted, as with tokio.
/// sleep_until(std::time::Instant::now().into()).await;
/// # }
/// ```
pub fn sleep_until(deadline: Instant) -> Sleep {
    Sleep::at(shared::handle(), Origin::Shared, deadline)
}

/// Ticks now, and then once per `period`. Missed ticks come in a
/// [burst](MissedTickBehavior::Burst), unless it is told [otherwise](Interval::set_missed_tick_behavior).
///
/// # Panics
/// If the period is zero, or the shared driver cannot be started: see [`Time::shared`].
///
/// ```
/// use punctual_tokio::{Duration, interval};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let mut beats = interval(Duration::from_micros(250));
/// let first = beats.tick().await;
/// let second = beats.tick().await;
/// assert_eq!(second - first, beats.period());
/// # }
/// ```
#[track_caller]
pub fn interval(period: Duration) -> Interval {
    interval_at(Instant::now(), period)
}

/// Ticks at `start`, and then once per `period`. See [`interval`](interval()).
///
/// # Panics
/// If the period is zero, or the shared driver cannot be started: see [`Time::shared`].
#[track_caller]
pub fn interval_at(start: Instant, period: Duration) -> Interval {
    Interval::new(sleep_until(start), period)
}

/// Limits how long a future may take, measured from this call. The result is its output, or
/// [`Elapsed`](error::Elapsed).
///
/// The future is polled first: if both are ready, its output wins.
///
/// # Panics
/// If the shared driver cannot be started: see [`Time::shared`].
///
/// ```
/// use punctual_tokio::{Duration, timeout};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let limit = Duration::from_micros(300);
/// assert_eq!(timeout(limit, async { 42 }).await, Ok(42));
/// assert!(timeout(limit, std::future::pending::<()>()).await.is_err());
/// # }
/// ```
pub fn timeout<F: IntoFuture>(duration: Duration, future: F) -> Timeout<F::IntoFuture> {
    Timeout::new(sleep(duration), future.into_future())
}

/// Limits how long a future may take, until `deadline`. See [`timeout`](timeout()).
///
/// # Panics
/// If the shared driver cannot be started: see [`Time::shared`].
pub fn timeout_at<F: IntoFuture>(deadline: Instant, future: F) -> Timeout<F::IntoFuture> {
    Timeout::new(sleep_until(deadline), future.into_future())
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
