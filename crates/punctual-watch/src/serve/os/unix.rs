//! Unix sockets: bound with care for what is at their path.

use crate::serve::Stream;
use rustix::fs::{AtFlags, CWD, FileType, Mode, Stat};
use rustix::io::Errno;
use rustix::net::{self, AddressFamily, SocketAddrUnix, SocketType};
use std::io;
use std::os::unix::net::UnixListener as StdListener;
use std::path::{Path, PathBuf};
use tokio::net::UnixListener;

/// Its owner and its group may connect: `chgrp` says who that is.
const MODE: Mode = Mode::from_bits_truncate(0o660);

/// A socket at a path. It is removed in the end, unless something else has taken its place.
pub struct UnixSocket {
    path: PathBuf,
    /// Which file it is, so that no other is ever removed.
    file: (u64, u64),
    bound: Option<StdListener>,
    listener: Option<UnixListener>,
}

impl UnixSocket {
    /// Binds a socket. One that nothing listens at any more is replaced; no other file ever is.
    pub fn bind(path: &Path) -> io::Result<Self> {
        if let Some(there) = look(path)? {
            if !is_socket(&there) {
                return Err(io::Error::new(
                    io::ErrorKind::AlreadyExists,
                    "there is a file that is no socket",
                ));
            }
            if is_used(path)? {
                return Err(io::ErrorKind::AddrInUse.into());
            }
            std::fs::remove_file(path)?;
        }
        let bound = StdListener::bind(path)?;
        rustix::fs::chmodat(CWD, path, MODE, AtFlags::empty())?;
        bound.set_nonblocking(true)?;
        let file = look(path)?.ok_or(io::ErrorKind::NotFound)?;
        Ok(Self {
            path: path.to_owned(),
            file: identity(&file),
            bound: Some(bound),
            listener: None,
        })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes it the runtime's.
    pub fn listen(&mut self) -> io::Result<()> {
        let bound = self.bound.take().ok_or(io::ErrorKind::NotConnected)?;
        self.listener = Some(UnixListener::from_std(bound)?);
        Ok(())
    }

    pub async fn accept(&self) -> io::Result<Stream> {
        let listener = self.listener.as_ref().ok_or(io::ErrorKind::NotConnected)?;
        let (stream, _) = listener.accept().await?;
        Ok(Box::pin(stream))
    }
}

impl Drop for UnixSocket {
    fn drop(&mut self) {
        let is_ours = look(&self.path)
            .is_ok_and(|there| there.is_some_and(|there| identity(&there) == self.file));
        if is_ours {
            // If that fails, the next watch finds a socket that nothing listens at.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Whether something listens at the socket. It does not wait: a program that accepts nothing listens too.
fn is_used(path: &Path) -> io::Result<bool> {
    let socket = net::socket(AddressFamily::UNIX, SocketType::STREAM, None)?;
    rustix::io::ioctl_fionbio(&socket, true)?;
    match net::connect(&socket, &SocketAddrUnix::new(path)?) {
        Ok(()) | Err(Errno::AGAIN) => Ok(true),
        Err(Errno::CONNREFUSED) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// What is at the path, without following a link.
fn look(path: &Path) -> io::Result<Option<Stat>> {
    match rustix::fs::lstat(path) {
        Ok(there) => Ok(Some(there)),
        Err(Errno::NOENT) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn is_socket(file: &Stat) -> bool {
    FileType::from_raw_mode(file.st_mode) == FileType::Socket
}

#[allow(
    clippy::useless_conversion,
    clippy::unnecessary_cast,
    clippy::cast_sign_loss,
    reason = "the types differ from system to system, and only equality matters"
)]
fn identity(file: &Stat) -> (u64, u64) {
    (file.st_dev as u64, file.st_ino as u64)
}
