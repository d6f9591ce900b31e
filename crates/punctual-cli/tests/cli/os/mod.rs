//! Tests for particular systems.

mod ctrl_c;
mod explain;
mod help;
mod hostile_text;
mod limits;
mod linux;
mod output_files;
mod pin;
mod processes;
mod sandbox;
mod signals;
mod slice;
pub mod started;
mod watch;
mod windows;

/// Whether what a Linux prints can be printed.
pub const IS_LINUX: bool = cfg!(target_os = "linux");
