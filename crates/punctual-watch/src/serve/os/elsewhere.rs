//! No Unix sockets: tokio has none for Windows.

use crate::serve::Stream;
use std::convert::Infallible;
use std::io;
use std::path::Path;

/// A Unix socket, which cannot be made here.
pub struct UnixSocket {
    never: Infallible,
}

impl UnixSocket {
    /// Refuses.
    pub fn bind(_: &Path) -> io::Result<Self> {
        Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "there are no Unix sockets on this system; listen on an address and a port",
        ))
    }

    pub fn path(&self) -> &Path {
        match self.never {}
    }

    pub fn listen(&mut self) -> io::Result<()> {
        match self.never {}
    }

    #[allow(clippy::unused_async, reason = "as where there are Unix sockets")]
    pub async fn accept(&self) -> io::Result<Stream> {
        match self.never {}
    }
}
