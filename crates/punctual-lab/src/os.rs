//! The native machine, system by system. Only this module makes system calls.

mod native;

pub(crate) use native::process;
pub use native::{Native, on_windows};
