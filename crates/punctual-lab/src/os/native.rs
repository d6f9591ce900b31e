//! Chooses the folder of the system this is compiled for.

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
#[path = "linux/mod.rs"]
mod sys;

#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
#[path = "unsupported.rs"]
mod sys;

pub(crate) use sys::{process, requests};
