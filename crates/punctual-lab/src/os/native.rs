//! Chooses the folder of the system this is compiled for.

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
#[path = "linux/mod.rs"]
mod sys;

#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
#[path = "unsupported.rs"]
mod sys;

#[path = "no_windows.rs"]
mod no_windows;

pub use no_windows::on_windows;
pub(crate) use sys::process;
