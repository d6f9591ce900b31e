//! What only one system has: how programs are stopped at their calls.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[path = "linux/mod.rs"]
mod sys;

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
#[path = "unsupported.rs"]
mod sys;

pub(crate) use sys::{possible, run};
