//! Chooses the files of the system this is compiled for.

#[cfg(target_os = "linux")]
#[path = "linux.rs"]
mod sys;

#[cfg(not(target_os = "linux"))]
#[path = "elsewhere.rs"]
mod sys;

#[cfg(target_os = "linux")]
#[path = "family.rs"]
mod family;

#[cfg(unix)]
#[path = "signals.rs"]
mod heard;

#[cfg(not(unix))]
#[path = "console.rs"]
mod heard;

#[cfg(target_os = "linux")]
pub use family::{Family, killed_by};
pub use heard::listen;
pub use sys::*;
