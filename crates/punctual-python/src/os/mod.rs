//! What the systems do not have in common.

#[cfg(unix)]
#[path = "unix.rs"]
mod sys;

#[cfg(not(unix))]
#[path = "others.rs"]
mod sys;

pub use sys::Doorbell;
