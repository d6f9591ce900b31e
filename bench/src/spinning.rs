//! What a spin is worth and what it costs: where the lateness comes from that is left, and what a
//! spinning thread takes from its sibling.

mod flags;
mod lateness;
mod neighbours;
mod report;

use crate::failure::Failure;
use crate::machine::{Invocation, Machine};
use crate::progress::Progress;
pub use flags::Spinning;
use neighbours::Pair;
use serde::Serialize;

/// What is measured.
#[derive(Debug)]
pub struct Plan {
    /// Two processors that stand in for two siblings of one core.
    pub processors: Option<(usize, usize)>,
    pub quick: bool,
}

/// Everything that was measured.
#[derive(Debug, Serialize)]
pub struct Report {
    pub machine: Machine,
    pub command: Invocation,
    pub lateness: Vec<lateness::Row>,
    /// The processors of the spinning and of the working thread.
    pub processors: Option<(usize, usize)>,
    pub neighbours: Vec<neighbours::Row>,
    /// Why there are no neighbours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<&'static str>,
}

/// If it is to be quick: one round in so many.
const QUICK_ONE_IN: u32 = 5;

impl Plan {
    /// Measures everything; three quarters of a minute.
    pub fn run(&self) -> Result<Report, Failure> {
        let one_in = if self.quick { QUICK_ONE_IN } else { 1 };
        let pair = match self.processors {
            Some((spinning, working)) => Some(Pair { spinning, working }),
            None => Pair::of_siblings()?,
        };
        let pairs = u32::from(pair.is_some());
        let total = lateness::duration(one_in) + neighbours::duration(one_in) * pairs;
        let progress = Progress::new(total)?;
        let lateness = lateness::measure(one_in, &progress)?;
        let neighbours = match pair {
            Some(pair) => pair.measure(one_in, &progress)?,
            None => Vec::new(),
        };
        progress.end();
        Ok(Report {
            machine: Machine::here(),
            command: Invocation::this(),
            lateness,
            processors: pair.map(|pair| (pair.spinning, pair.working)),
            neighbours,
            note: pair.is_none().then_some(neighbours::NO_SIBLINGS),
        })
    }
}
