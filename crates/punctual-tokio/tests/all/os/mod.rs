//! What only some systems have.

#[cfg(target_os = "linux")]
mod fork;
