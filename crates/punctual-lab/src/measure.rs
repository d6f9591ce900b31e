//! Measures how late each method wakes, all under the same conditions.

mod record;
mod schedule;
mod turns;

pub use record::{PlanRecord, SeriesRecord};
pub use schedule::{Deadlines, Length, QUICK, Question};
pub use turns::{Plan, measure};

/// How late each waiter woke.
pub type Recording = crate::recording::Recording<Deadlines>;

#[cfg(test)]
mod tests;
