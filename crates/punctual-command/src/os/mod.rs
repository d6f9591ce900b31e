//! What tells a process of signals, system by system.

#[cfg(unix)]
#[path = "signals.rs"]
mod heard;

#[cfg(not(unix))]
#[path = "console.rs"]
mod heard;

pub(crate) use heard::listen;
