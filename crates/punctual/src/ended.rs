//! Why a wait ended without what was waited for.

use crate::cancel::Cancelled;
use std::fmt;
use std::time::Duration;

/// Why a [`Ticker`](crate::Ticker) has no next tick, or a [`Wait`](crate::Wait) ended before its deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ended {
    /// It was cancelled.
    Cancelled,
    /// The next deadline does not fit 64 bits of nanoseconds.
    EndOfTime,
    /// A signal came first, in a wait that [signals end](crate::Signals::EndIt).
    Interrupted {
        /// What was left until the deadline. Never zero.
        remaining: Duration,
    },
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cancelled => f.write_str("the wait was cancelled"),
            Self::EndOfTime => f.write_str("the next tick is past the end of 64-bit time"),
            Self::Interrupted { remaining } => {
                write!(f, "a signal came {remaining:?} before the deadline")
            }
        }
    }
}

impl std::error::Error for Ended {}

impl From<Cancelled> for Ended {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}
