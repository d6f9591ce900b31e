//! Chooses the folder of the system this is compiled for.

#[cfg(target_os = "linux")]
#[path = "linux/mod.rs"]
mod sys;

#[cfg(not(target_os = "linux"))]
#[path = "unsupported.rs"]
mod sys;

pub use sys::{Capture, KernelFunctions, Starter};
