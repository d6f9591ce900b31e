//! What only some systems have: modes of files, Unix sockets, signals.

mod service;

#[cfg(unix)]
mod unix;

#[cfg(unix)]
pub use unix::mode;

/// Files have no modes here.
#[cfg(not(unix))]
pub fn mode(_: &std::path::Path) -> Option<u32> {
    None
}
