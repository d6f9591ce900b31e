//! The future of a deadline.

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
    /// Whether it was polled, or reset, since it was made.
    is_begun: bool,
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
    /// tokio's own, in the virtual time of a runtime.
    Paused(Pin<Box<tokio::time::Sleep>>),
}

impl Wait {
    /// tokio's own wait until a deadline, if this thread's runtime has virtual time.
    fn paused(deadline: impl FnOnce() -> Instant) -> Option<Self> {
        clock::is_virtual().then(|| Self::Paused(Box::pin(tokio::time::sleep_until(deadline()))))
    }
}

impl Sleep {
    pub(crate) fn after(handle: &Handle, origin: Origin, duration: Duration) -> Self {
        if duration.is_zero() {
            return Self::at(handle, origin, Instant::now());
        }
        let wait = Wait::paused(|| clock::after(duration)).unwrap_or_else(|| {
            // One clock is read, and not two: who asks for the deadline gets it from the driver's,
            // rounded down. The wait is longer by as much, and so never early by either clock.
            Wait::Driver(handle.sleep(duration.saturating_add(clock::slop())))
        });
        Self::new(None, wait, origin)
    }

    pub(crate) fn at(handle: &Handle, origin: Origin, deadline: Instant) -> Self {
        let wait = Wait::paused(|| deadline)
            .unwrap_or_else(|| Wait::Driver(handle.sleep_until(clock::on_driver(deadline))));
        Self::new(Some(deadline), wait, origin)
    }

    fn new(deadline: Option<Instant>, wait: Wait, origin: Origin) -> Self {
        Self {
            deadline,
            wait,
            origin,
            is_begun: false,
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
        if let Wait::Driver(sleep) = &mut self.wait {
            let earliest = sleep.window().earliest();
            sleep.reset(Window::tolerating(earliest, tolerance));
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

    /// Whether the deadline has come. As with tokio's, not before it was polled or [reset](Self::reset).
    pub fn is_elapsed(&self) -> bool {
        match &self.wait {
            Wait::Driver(_) => self.is_begun && Instant::now() >= self.deadline(),
            Wait::Paused(sleep) => sleep.is_elapsed(),
        }
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
        self.set_deadline(deadline);
        self.is_begun = true;
    }

    /// After it was ready: waits for another deadline, and wakes no task before it is polled again.
    pub(crate) fn begin_anew(&mut self, deadline: Instant) {
        match Wait::paused(|| deadline) {
            // If tokio's were put off, it would wake whoever polled it last.
            Some(wait) => (self.deadline, self.wait) = (Some(deadline), wait),
            None => self.set_deadline(deadline),
        }
        self.is_begun = false;
    }

    fn set_deadline(&mut self, deadline: Instant) {
        self.deadline = Some(deadline);
        let tolerance = self.tolerance();
        match &mut self.wait {
            Wait::Paused(sleep) => sleep.as_mut().reset(deadline),
            // If the clock is virtual by now, the next poll finds out.
            Wait::Driver(sleep) => {
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
        self.is_begun = true;
        if let Wait::Driver(_) = self.wait {
            // Its clock may have been paused since it was made.
            if let Some(wait) = Wait::paused(|| self.deadline()) {
                self.wait = wait;
            }
        }
        let sleep = match &mut self.wait {
            Wait::Driver(sleep) => sleep,
            Wait::Paused(sleep) => return sleep.as_mut().poll(context),
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
