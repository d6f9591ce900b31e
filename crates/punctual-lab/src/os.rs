//! The native machine, system by system: the only place with system calls.

mod native;

pub(crate) use native::process;
pub use native::{Native, on_windows};
