//! A folder that is this user's alone, and that one process uses at a time.

use std::fs::{DirBuilder, File};
use std::io;
use std::path::Path;

/// Held while a process uses a folder. The system lets go of it when the process ends, however it ends.
#[derive(Debug)]
pub(crate) struct FolderLock {
    _file: File,
}

impl FolderLock {
    /// Takes it. [`WouldBlock`](io::ErrorKind::WouldBlock) if another has it.
    pub(crate) fn take(file: &Path) -> io::Result<Self> {
        let file = File::options().create(true).append(true).open(file)?;
        lock(&file)?;
        Ok(Self { _file: file })
    }
}

#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "a system call")]
fn lock(file: &File) -> io::Result<()> {
    use std::os::fd::AsRawFd;
    // SAFETY: the file is open, and the call changes nothing of this process's memory.
    match unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// There is no recorder on other systems, and so nothing else that writes there.
#[cfg(not(target_os = "linux"))]
#[expect(clippy::unnecessary_wraps, reason = "as on Linux")]
fn lock(_: &File) -> io::Result<()> {
    Ok(())
}

/// Makes a folder, if it is not there, into which only this user can look: recordings have the names of the
/// machine's programs.
pub(crate) fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}
