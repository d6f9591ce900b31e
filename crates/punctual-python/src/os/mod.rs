//! What the systems do not have in common, and what Python has only for C.

pub mod main_thread;

#[cfg(unix)]
#[path = "unix.rs"]
mod sys;

#[cfg(not(unix))]
#[path = "others.rs"]
mod sys;

pub use sys::Doorbell;
