//! What waits of given lengths take, begun at a moment of one's choice.

mod record;
mod rounds;
mod schedule;
mod when;

pub use record::SeriesRecord;
pub use rounds::{Taken, WARM_UP};
pub use schedule::{PlanRecord, Question};
pub use when::{Lengths, When};

/// What waits of given lengths took.
pub type Recording = crate::recording::Recording<Lengths>;

#[cfg(test)]
pub(crate) mod tests;
