//! The few calls of the system that only measuring needs.

#[cfg(not(target_os = "linux"))]
compile_error!("this benchmark compares ways of waiting on Linux; build it there");

mod linux;

pub use linux::{Meter, SlackGuard, allocated_bytes};
pub use linux::{calls, resuming, waits};
