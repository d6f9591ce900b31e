//! How far the figures of simulated machines can be trusted, as recordings say it.
//!
//! The rules behind it are [`punctual_windows::confidence`]. Recordings are read without simulated machines, too.

#[cfg(feature = "sim")]
mod simulated;

#[cfg(feature = "sim")]
pub use simulated::{of_clocks, of_interval};

pub use punctual_windows::confidence::{Confidence, Ground, Level};

use crate::question::{Conditions, Simulated};
use crate::schedule::{Question, Schedule};
use crate::{REQUESTED, SLICED, TUNED};
use std::time::Duration;

/// The waits that a recording is about.
#[derive(Debug, Clone, Copy)]
pub struct Waits<'a> {
    /// The simulated machine; a real one needs no confidence.
    pub on: Option<&'a Simulated>,
    /// The conditions on it.
    pub conditions: &'a Conditions,
    /// What the waiting process requests all the time.
    pub request: Option<Duration>,
    /// What it requests for the series whose names begin with [`REQUESTED`].
    pub marked: Option<Duration>,
    /// The length of the waits, or the period.
    pub duration: Duration,
    /// Whether each wait begins when the one before has ended.
    pub is_tight: bool,
}

impl<'a> Waits<'a> {
    /// Those of a question, of this length.
    pub(crate) fn of_question<S: Schedule>(
        question: &'a Question<S>,
        duration: Duration,
        is_tight: bool,
    ) -> Self {
        Self {
            on: question.on.as_ref(),
            conditions: &question.conditions,
            request: question.held_request(),
            marked: question.request,
            duration,
            is_tight,
        }
    }

    /// How far the figures of a method or a way can be trusted. `None` on a real machine.
    pub fn of_series(&self, series: &str) -> Option<Confidence> {
        let waits = Self {
            request: match series.starts_with(REQUESTED) {
                true => self.marked,
                false => self.request,
            },
            ..*self
        };
        let marks = [REQUESTED, SLICED, TUNED];
        let plain = marks.into_iter().find_map(|mark| series.strip_prefix(mark));
        waits.of(plain.unwrap_or(series), None)
    }

    /// How far the mean of a call can be trusted. `None` on a real machine.
    pub fn of_call(&self, call: &str, mean: Duration) -> Option<Confidence> {
        self.of(call, Some(mean))
    }

    #[cfg(not(feature = "sim"))]
    fn of(&self, _: &str, _: Option<Duration>) -> Option<Confidence> {
        None
    }
}
