//! Measures how late each method wakes, all under the same conditions.

mod question;
mod recording;
mod turns;

pub use question::{Length, QUICK, Question};
pub use recording::{BatchRecord, PlanRecord, Recording, SCHEMA, SeriesRecord};
pub use turns::{Plan, measure};

#[cfg(test)]
mod tests;
