//! The future of a deadline.

use crate::paused::PausedSleep;
use crate::{Duration, Instant, clock, shared};
use punctual::Window;
use punctual::driver::{self, Handle, ShutDown};
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::task::coop;

/// A future that is ready once its deadline has come. Made by [`sleep`](crate::sleep()) and
/// [`sleep_until`](crate::sleep_until).
///
/// It is `Unpin`, so that it can be awaited by reference, as in `select!` within a loop:
///
/// ```
/// use punctual_tokio::{Duration, sleep};
/// use tokio::sync::mpsc;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let (sender, mut requests) = mpsc::channel(4);
/// sender.send("a request").await.unwrap();
/// let mut idle = sleep(Duration::from_micros(500));
/// loop {
///     tokio::select! {
///         () = &mut idle => break,
///         Some(request) = requests.recv() => println!("{request}"),
///     }
/// }
/// # }
/// ```
///
/// If it is dropped, its timer is cancelled.
///
/// # Panics
/// When it is polled after its driver was shut down, or in a callback of its driver. Both can happen
/// only with a [driver of your own](crate::Time::with_driver).
#[derive(Debug)]
#[must_use = "a future does nothing unless it is awaited"]
pub struct Sleep {
    /// If it was given one.
    deadline: Option<Instant>,
    wait: Wait,
    origin: Origin,
}

/// Whose driver it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    Shared,
    Yours,
}

#[derive(Debug)]
enum Wait {
    Driver(driver::Sleep),
    Paused(PausedSleep),
}

impl Sleep {
    pub(crate) fn after(handle: &Handle, origin: Origin, duration: Duration) -> Self {
        if duration.is_zero() {
            return Self::at(handle, origin, Instant::now());
        }
        let wait = match PausedSleep::until(|| clock::after(duration)) {
            Some(sleep) => Wait::Paused(sleep),
            // One clock is read, and not two: who asks for the deadline gets it from the driver's,
            // rounded down. The wait is longer by as much, and so never early by either clock.
            None => Wait::Driver(handle.sleep(duration.saturating_add(clock::slop()))),
        };
        Self {
            deadline: None,
            wait,
            origin,
        }
    }

    pub(crate) fn at(handle: &Handle, origin: Origin, deadline: Instant) -> Self {
        let wait = match PausedSleep::until(|| deadline) {
            Some(sleep) => Wait::Paused(sleep),
            None => Wait::Driver(handle.sleep_until(clock::on_driver(deadline))),
        };
        Self {
            deadline: Some(deadline),
            wait,
            origin,
        }
    }

    /// Lets it be ready up to `tolerance` after its deadline, so that timers share wake-ups. Without
    /// this, it has the tolerance of the driver's handle, which is zero.
    ///
    /// ```
    /// use punctual_tokio::{Duration, sleep};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// sleep(Duration::from_millis(1)).tolerating(Duration::from_millis(1)).await;
    /// # }
    /// ```
    pub fn tolerating(mut self, tolerance: Duration) -> Self {
        match &mut self.wait {
            Wait::Driver(sleep) => {
                let earliest = sleep.window().earliest();
                sleep.reset(Window::tolerating(earliest, tolerance));
            }
            Wait::Paused(_) => {}
        }
        self
    }

    /// The deadline.
    pub fn deadline(&self) -> Instant {
        self.deadline.unwrap_or_else(|| match &self.wait {
            Wait::Driver(sleep) => clock::on_tokio(sleep.window().earliest()),
            Wait::Paused(sleep) => sleep.deadline(),
        })
    }

    /// Whether the deadline has come, by the clock. It need not have been polled for that.
    pub fn is_elapsed(&self) -> bool {
        Instant::now() >= self.deadline()
    }

    /// Waits for another deadline from now on, even if it was ready. A task that waits for it goes on
    /// waiting.
    ///
    /// ```
    /// use punctual_tokio::{Duration, Instant, sleep};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let idle = sleep(Duration::from_secs(60));
    /// tokio::pin!(idle);
    /// idle.as_mut().reset(Instant::now() + Duration::from_micros(500));
    /// idle.await;
    /// # }
    /// ```
    pub fn reset(self: Pin<&mut Self>, deadline: Instant) {
        self.get_mut().put_off(deadline);
    }

    pub(crate) fn put_off(&mut self, deadline: Instant) {
        self.deadline = Some(deadline);
        let tolerance = self.tolerance();
        match (&mut self.wait, PausedSleep::until(|| deadline)) {
            (Wait::Paused(sleep), _) => sleep.reset(deadline),
            (Wait::Driver(_), Some(sleep)) => self.wait = Wait::Paused(sleep),
            (Wait::Driver(sleep), None) => {
                sleep.reset(Window::tolerating(clock::on_driver(deadline), tolerance));
            }
        }
    }

    /// How much later than its deadline it may be ready.
    pub(crate) fn tolerance(&self) -> Duration {
        match &self.wait {
            Wait::Driver(sleep) => sleep.window().latest() - sleep.window().earliest(),
            Wait::Paused(_) => Duration::ZERO,
        }
    }
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let origin = self.origin;
        let sleep = match &mut self.wait {
            Wait::Driver(sleep) => sleep,
            Wait::Paused(sleep) => return sleep.poll(context),
        };
        // A task that always finds its timers due gives the others a turn.
        let turn = ready!(coop::poll_proceed(context));
        loop {
            match ready!(Pin::new(&mut *sleep).poll(context)) {
                Ok(_) => break,
                Err(ShutDown) if origin == Origin::Shared => {
                    *sleep = shared::handle_after_fork().sleep_until(sleep.window());
                }
                Err(error) => panic!("{error}"),
            }
        }
        turn.made_progress();
        Poll::Ready(())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Duration, Instant, Time, sleep};
    use std::pin::Pin;

    #[test]
    fn a_reset_keeps_the_tolerance() {
        let (hour, tolerance) = (Duration::from_secs(3_600), Duration::from_millis(7));
        for mut nap in [
            sleep(hour).tolerating(tolerance),
            Time::shared().tolerating(tolerance).sleep(hour),
        ] {
            assert_eq!(nap.tolerance(), tolerance);
            Pin::new(&mut nap).reset(Instant::now() + hour);
            assert_eq!(nap.tolerance(), tolerance);
        }
    }
}
