//! Unix sockets, where the system has them.

#[cfg(not(unix))]
mod elsewhere;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub use elsewhere::UnixSocket;
#[cfg(unix)]
pub use unix::UnixSocket;
