//! A way of keeping a beat: a method of waiting, and when it is asked to end.

use super::Make;
use punctual::{Instant, Period};
use std::time::Duration;

/// A way of keeping a beat that a machine offers.
pub struct Way<M> {
    /// The name it has in flags, tables and recordings.
    pub name: &'static str,
    /// What it is, in a line.
    pub summary: &'static str,
    /// What its method is asked for.
    pub keeping: Keeping,
    /// Makes its method for the calling thread, which alone may use it.
    pub make: Make<M>,
}

/// What a method is asked for, beat by beat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keeping {
    /// To end a period after the last beat, less `early`: whatever a wait is late by, the whole
    /// schedule is.
    Remainder {
        /// By how much the wait is shortened.
        early: Duration,
    },
    /// To end at deadlines computed from the start, by waiting until `margin` before each and
    /// looking at the clock for the rest.
    Schedule {
        /// How long the clock is looked at; zero waits for the deadline itself.
        margin: Duration,
    },
    /// Nothing: it was told the period when it was made.
    Itself,
}

/// What a loop waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Deadlines {
    /// The method waits until here, if that is still to come.
    pub(crate) sleep_until: Instant,
    /// And the clock is looked at until here.
    pub(crate) spin_until: Instant,
}

impl Keeping {
    /// For the beat of this number, counted from 1 at the start. `None` past the end of 64-bit
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
