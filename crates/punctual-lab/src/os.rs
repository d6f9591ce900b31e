//! The native machine, system by system. Only this module makes system calls.

mod native;

pub use native::{Native, on_windows};
pub(crate) use native::{process, std_sleeps};
