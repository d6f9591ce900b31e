//! What the system tells about threads and processes, system by system.

#[cfg(target_os = "linux")]
#[path = "linux.rs"]
mod sys;

#[cfg(not(target_os = "linux"))]
#[path = "elsewhere.rs"]
mod sys;

#[cfg(target_os = "linux")]
mod family;

#[cfg(unix)]
#[path = "exec.rs"]
mod program;

#[cfg(not(unix))]
#[path = "child.rs"]
mod program;

#[cfg(target_os = "linux")]
pub use family::{Family, killed_by};
pub use program::become_program;
pub use sys::*;
