//! What else happens during a measurement, as data: the load, the companions, and the priority and
//! the slice of the waiting thread.

mod companion;
mod load;
mod priority;
mod slice;

pub use companion::{Companion, MOST_WORK, SLEEP_MILLIS};
pub use load::Load;
pub use priority::Priority;
pub use slice::Slice;
