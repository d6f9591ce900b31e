//! What takes calls of the system that safe code has none for.

#[cfg(target_os = "linux")]
mod fork;
