//! What only Unix has: modes of files, and its sockets.

#[cfg(unix)]
mod unix;

#[cfg(unix)]
pub use unix::mode;

/// Files have no modes here.
#[cfg(not(unix))]
pub fn mode(_: &std::path::Path) -> Option<u32> {
    None
}
