//! A future with a time limit.

use super::{ShutDown, Sleep};
use crate::os::Os;
use std::fmt;
use std::future::{Future, IntoFuture, poll_fn};
use std::pin::{Pin, pin};
use std::task::Poll;

/// Why a [timeout](super::Handle::timeout) dropped its future.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TimedOut {
    /// The time was up.
    Elapsed,
    /// The driver was shut down, so nothing would notice the end of the time.
    ShutDown,
}

impl TimedOut {
    /// Whether the time was up.
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
