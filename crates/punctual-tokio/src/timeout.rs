//! A future with a time limit.

use crate::error::Elapsed;
use crate::{Duration, Sleep};
use pin_project_lite::pin_project;
use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use tokio::task::coop;

pin_project! {
    /// A future with a time limit. Made by [`timeout`](crate::timeout()) and
    /// [`timeout_at`](crate::timeout_at).
    #[derive(Debug)]
    #[must_use = "a future does nothing unless it is awaited"]
    pub struct Timeout<T> {
        #[pin]
        value: T,
        limit: Sleep,
    }
}

impl<T> Timeout<T> {
    pub(crate) fn new(limit: Sleep, value: T) -> Self {
        Self { value, limit }
    }

    /// Lets the limit be up to `tolerance` later, so that timers share wake-ups. Most timeouts never
    /// come, and need not be exact.
    pub fn tolerating(mut self, tolerance: Duration) -> Self {
        self.limit = self.limit.tolerating(tolerance);
        self
    }

    /// The future.
    pub fn get_ref(&self) -> &T {
        &self.value
    }

    /// The future.
    pub fn get_mut(&mut self) -> &mut T {
        &mut self.value
    }

    /// The future, without its limit.
    pub fn into_inner(self) -> T {
        self.value
    }
}

impl<T: Future> Future for Timeout<T> {
    type Output = Result<T::Output, Elapsed>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let had_budget = coop::has_budget_remaining();
        if let Poll::Ready(output) = this.value.poll(context) {
            return Poll::Ready(Ok(output));
        }
        let limit = Pin::new(this.limit);
        // A future that always uses up its task's budget must not keep its limit from being seen.
        let elapsed = if had_budget && !coop::has_budget_remaining() {
            pin!(coop::unconstrained(limit)).poll(context)
        } else {
            limit.poll(context)
        };
        elapsed.map(|()| Err(Elapsed::new()))
    }
}
