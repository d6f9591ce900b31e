//! What else happens during a measurement, as data: the load, the companions, and the standing of
//! the waiting process, and the priority and the slice of its thread.

mod companion;
mod load;
mod priority;
mod slice;
pub(crate) mod standing;

pub use companion::{Companion, MOST_WORK, SLEEP_MILLIS};
pub use load::Load;
pub use priority::Priority;
pub use punctual_windows::{Standing, Throttling};
pub use slice::Slice;
