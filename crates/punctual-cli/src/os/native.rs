//! Chooses the file of the system this is compiled for.

#[cfg(target_os = "linux")]
#[path = "linux.rs"]
mod sys;

#[cfg(not(target_os = "linux"))]
#[path = "elsewhere.rs"]
mod sys;

pub use sys::*;
