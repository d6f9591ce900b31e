//! Waits in the virtual time of a runtime whose clock was paused. Without the feature `test-util`
//! there are none, and their code compiles to nothing.

pub use imp::PausedSleep;

#[cfg(feature = "test-util")]
mod imp {
    use crate::{Instant, clock};
    use std::pin::Pin;
    use std::task::{Context, Poll};

    /// tokio's own future.
    #[derive(Debug)]
    pub struct PausedSleep(Pin<Box<tokio::time::Sleep>>);

    impl PausedSleep {
        /// A wait until a deadline, if this thread's runtime has virtual time.
        pub fn until(deadline: impl FnOnce() -> Instant) -> Option<Self> {
            clock::is_virtual().then(|| Self(Box::pin(tokio::time::sleep_until(deadline()))))
        }

        pub fn deadline(&self) -> Instant {
            self.0.deadline()
        }

        pub fn reset(&mut self, deadline: Instant) {
            self.0.as_mut().reset(deadline);
        }

        pub fn poll(&mut self, context: &mut Context<'_>) -> Poll<()> {
            self.0.as_mut().poll(context)
        }
    }
}

#[cfg(not(feature = "test-util"))]
mod imp {
    use crate::Instant;
    use std::task::{Context, Poll};

    /// There is none.
    #[derive(Debug)]
    pub enum PausedSleep {}

    impl PausedSleep {
        pub fn until(_: impl FnOnce() -> Instant) -> Option<Self> {
            None
        }

        pub fn deadline(&self) -> Instant {
            match *self {}
        }

        pub fn reset(&mut self, _: Instant) {
            match *self {}
        }

        pub fn poll(&mut self, _: &mut Context<'_>) -> Poll<()> {
            match *self {}
        }
    }
}
