//! Chooses the folder of the system this is compiled for.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[path = "linux/mod.rs"]
mod sys;

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
#[path = "unsupported.rs"]
mod sys;

pub(crate) use sys::{possible, run};
