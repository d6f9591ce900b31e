//! What else goes on while something is measured, as data: what the machine is made to do, who else
//! is there, and at which priority the thread waits.

mod companion;
mod load;
mod priority;

pub use companion::{Companion, MOST_WORK, SLEEP_MILLIS};
pub use load::Load;
pub use priority::Priority;
