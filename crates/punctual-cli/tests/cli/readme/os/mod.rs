//! Which system this is.

/// Whether what a Linux prints can be printed.
pub const IS_LINUX: bool = cfg!(target_os = "linux");
