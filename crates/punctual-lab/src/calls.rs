//! What bare waits take: a call of some length, begun at a moment of one's choice.
//!
//! [`measure`](mod@crate::measure) and [`pace`](crate::pace) keep deadlines, so how long each of
//! their waits lasts follows from the wait before. Here every wait has the same length. Each call
//! runs alone, because a tight loop of calls has a rhythm, which turns would break.

mod clusters;
mod question;
mod recording;
mod rounds;
mod when;

pub use clusters::{Cluster, RESOLUTION, clusters, near};
pub use question::Question;
pub use recording::{Recording, SCHEMA, SeriesRecord};
pub use rounds::{Taken, WARM_UP};
pub use when::When;

#[cfg(test)]
pub(crate) mod tests;
