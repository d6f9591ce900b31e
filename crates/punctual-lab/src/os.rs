//! The native machine, system by system: the only place with system calls.

mod native;

pub use native::on_windows;
pub(crate) use native::process;
