//! What else happens during a measurement, as data: the load, the companions, and the priority of
//! the waiting thread.

mod companion;
mod load;
mod priority;

pub use companion::{Companion, MOST_WORK, SLEEP_MILLIS};
pub use load::Load;
pub use priority::Priority;
