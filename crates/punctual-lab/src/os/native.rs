//! Chooses the folder of the system this is compiled for.

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
#[path = "linux/mod.rs"]
mod sys;

#[cfg(target_os = "macos")]
#[path = "macos/mod.rs"]
mod sys;

#[cfg(not(any(
    all(target_os = "linux", target_pointer_width = "64"),
    target_os = "macos"
)))]
#[path = "unsupported.rs"]
mod sys;

#[cfg(any(
    all(target_os = "linux", target_pointer_width = "64"),
    target_os = "macos"
))]
#[path = "posix/mod.rs"]
mod posix;

#[path = "no_windows.rs"]
mod no_windows;

pub use no_windows::on_windows;
pub(crate) use sys::process;
