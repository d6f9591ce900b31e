//! The functions of this crate, over a chosen driver.

use crate::sleep::Origin;
use crate::{Duration, Instant, Interval, Sleep, Timeout, shared};
use punctual::Handle;
use std::future::IntoFuture;

/// The functions of this crate as methods, over a driver of your own, or with a tolerance for all.
///
/// ```
/// use punctual::{Driver, LateRate, Budget, Sleeper};
/// use punctual_tokio::{Duration, Time};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // A tenth as many late wake-ups as usual, for at most a fifth of a processor.
/// let sleeper = Sleeper::new().aiming_at(LateRate::new(0.001)?, Budget::new(0.2)?);
/// let driver = Driver::new().start_with(sleeper)?;
///
/// let time = Time::with_driver(driver.handle());
/// time.sleep(Duration::from_micros(200)).await;
/// let mut beats = time.interval(Duration::from_micros(250));
/// beats.tick().await;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Time {
    handle: Handle,
    origin: Origin,
}

impl Time {
    /// Timers of your own driver, with the [tolerance](Handle::tolerating) of its handle.
    ///
    /// A timer panics when it is polled after the driver was shut down.
    pub fn with_driver(handle: Handle) -> Self {
        Self {
            handle,
            origin: Origin::Yours,
        }
    }

    /// Timers of the driver that the functions of this crate share.
    ///
    /// # Panics
    /// If the driver cannot be started: the system has no thread to give, or is
    /// [not supported](punctual::Native::new). To treat this as an error, start a driver of your own.
    pub fn shared() -> Self {
        Self {
            handle: shared::handle().clone(),
            origin: Origin::Shared,
        }
    }

    /// The same driver, with a tolerance for all timers: how much later than its deadline each may
    /// fire.
    ///
    /// ```
    /// use punctual_tokio::{Duration, Time};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let whenever = Time::shared().tolerating(Duration::from_millis(1));
    /// whenever.sleep(Duration::from_millis(1)).await;
    /// # }
    /// ```
    #[must_use]
    pub fn tolerating(&self, tolerance: Duration) -> Self {
        Self {
            handle: self.handle.tolerating(tolerance),
            origin: self.origin,
        }
    }

    /// Waits until `duration` has passed since this call. See [`sleep`](crate::sleep()).
    pub fn sleep(&self, duration: Duration) -> Sleep {
        Sleep::after(&self.handle, self.origin, duration)
    }

    /// Waits until `deadline`. See [`sleep_until`](crate::sleep_until).
    pub fn sleep_until(&self, deadline: Instant) -> Sleep {
        Sleep::at(&self.handle, self.origin, deadline)
    }

    /// Ticks now, and then once per `period`. See [`interval`](crate::interval()).
    ///
    /// # Panics
    /// If the period is zero.
    #[track_caller]
    pub fn interval(&self, period: Duration) -> Interval {
        self.interval_at(Instant::now(), period)
    }

    /// Ticks at `start`, and then once per `period`. See [`interval_at`](crate::interval_at).
    ///
    /// # Panics
    /// If the period is zero.
    #[track_caller]
    pub fn interval_at(&self, start: Instant, period: Duration) -> Interval {
        Interval::new(self.sleep_until(start), period)
    }

    /// Limits how long a future may take, measured from this call. See
    /// [`timeout`](crate::timeout()).
    pub fn timeout<F: IntoFuture>(&self, duration: Duration, future: F) -> Timeout<F::IntoFuture> {
        Timeout::new(self.sleep(duration), future.into_future())
    }

    /// Limits how long a future may take, until `deadline`. See [`timeout_at`](crate::timeout_at).
    pub fn timeout_at<F: IntoFuture>(
        &self,
        deadline: Instant,
        future: F,
    ) -> Timeout<F::IntoFuture> {
        Timeout::new(self.sleep_until(deadline), future.into_future())
    }
}
