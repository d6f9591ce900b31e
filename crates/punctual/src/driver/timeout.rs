//! A future that is given so much time.

use super::{ShutDown, Sleep};
use crate::os::Os;
use std::fmt;
use std::future::{Future, IntoFuture, poll_fn};
use std::pin::{Pin, pin};
use std::task::Poll;

/// Why a [timeout](super::Handle::timeout) gave up its future, which was dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TimedOut {
    /// Its time was up.
    Elapsed,
    /// The driver was shut down, which leaves nobody to say when the time is up.
    ShutDown,
}

impl TimedOut {
    /// Whether its time was up.
    pub fn is_elapsed(self) -> bool {
        self == Self::Elapsed
    }
}

impl From<ShutDown> for TimedOut {
    fn from(_: ShutDown) -> Self {
        Self::ShutDown
    }
}

impl fmt::Display for TimedOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Elapsed => f.write_str("the time was up"),
            Self::ShutDown => ShutDown.fmt(f),
        }
    }
}

impl std::error::Error for TimedOut {}

/// The future's output, unless the sleep ends first. Who is ready at the same time wins.
pub(super) async fn unless<O: Os, F: IntoFuture>(
    mut sleep: Sleep<O>,
    future: F,
) -> Result<F::Output, TimedOut> {
    let mut future = pin!(future.into_future());
    poll_fn(|context| {
        if let Poll::Ready(output) = future.as_mut().poll(context) {
            return Poll::Ready(Ok(output));
        }
        match Pin::new(&mut sleep).poll(context) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(Ok(_)) => Poll::Ready(Err(TimedOut::Elapsed)),
            Poll::Ready(Err(ShutDown)) => Poll::Ready(Err(TimedOut::ShutDown)),
        }
    })
    .await
}
