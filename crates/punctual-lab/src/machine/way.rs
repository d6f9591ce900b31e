//! A way to keep a beat: a method of waiting, and the rule for when each wait ends.

use super::Make;
use punctual::{Instant, Period};
use std::time::Duration;

/// A way to keep a beat that a machine offers.
pub struct Way<M> {
    /// The name in flags, tables and recordings.
    pub name: &'static str,
    /// A description in one line, of fewer than 60 characters.
    pub summary: &'static str,
    /// The rule for when each wait ends.
    pub keeping: Keeping,
    /// Makes its method for the calling thread. No other thread may use it.
    pub make: Make<M>,
}

/// The rule for when each wait ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keeping {
    /// One period after the last beat, less `early`. Each wait that ends late delays the whole
    /// schedule.
    Remainder {
        /// How much shorter each wait is.
        early: Duration,
    },
    /// At deadlines computed from the start. The loop waits until `margin` before each deadline and
    /// reads the clock for the rest.
    Schedule {
        /// How long to read the clock; with zero, the wait lasts until the deadline itself.
        margin: Duration,
    },
    /// The method has its own schedule. It got the period when it was made.
    Itself,
}

/// The two parts of a loop's wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Deadlines {
    /// The method waits until here, unless this has passed.
    pub(crate) sleep_until: Instant,
    /// Then the loop reads the clock until here.
    pub(crate) spin_until: Instant,
}

impl Keeping {
    /// For the beat with this number, counted from 1 at the start. `None` past the end of 64-bit
    /// time.
    pub(crate) fn deadlines(
        self,
        period: Period,
        start: Instant,
        last: Instant,
        index: u64,
    ) -> Option<Deadlines> {
        let (sleep_until, spin_until) = match self {
            Self::Remainder { early } => (period.deadline(last, 1)? - early, Instant::ZERO),
            Self::Schedule { margin } if margin.is_zero() => {
                (period.deadline(start, index)?, Instant::ZERO)
            }
            Self::Schedule { margin } => {
                let deadline = period.deadline(start, index)?;
                (deadline - margin, deadline)
            }
            Self::Itself => (period.deadline(start, index)?, Instant::ZERO),
        };
        Some(Deadlines {
            sleep_until,
            spin_until,
        })
    }
}
