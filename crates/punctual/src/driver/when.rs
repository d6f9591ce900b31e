//! What a timer may be given, and what a repeating callback may return.

use crate::{Instant, Window};
use std::ops::{ControlFlow, RangeInclusive};
use std::time::Duration;

/// When a timer may fire: an argument of [`Handle::once`](super::Handle::once) and similar methods.
///
/// An [`Instant`] is a deadline with the tolerance of the [handle](super::Handle::tolerating), which is
/// zero by default. A [`Window`], or a range of instants, is used as it is.
pub trait When: sealed::When {}

impl<T: sealed::When> When for T {}

/// What a repeating callback may return: nothing, or a [`ControlFlow`] that says whether it is called
/// again.
pub trait Repeating: sealed::Repeating {}

impl<T: sealed::Repeating> Repeating for T {}

pub(super) mod sealed {
    use super::{ControlFlow, Duration, Instant, RangeInclusive, Window};

    pub trait When {
        fn window(self, tolerance: Duration) -> Window;
    }

    impl When for Instant {
        fn window(self, tolerance: Duration) -> Window {
            Window::tolerating(self, tolerance)
        }
    }

    impl When for Window {
        fn window(self, _: Duration) -> Window {
            self
        }
    }

    impl When for RangeInclusive<Instant> {
        fn window(self, _: Duration) -> Window {
            self.into()
        }
    }

    pub trait Repeating {
        fn flow(self) -> ControlFlow<()>;
    }

    impl Repeating for () {
        fn flow(self) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }
    }

    impl Repeating for ControlFlow<()> {
        fn flow(self) -> ControlFlow<()> {
            self
        }
    }
}
