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
        let mut options = File::options();
        let file = options.create(true).append(true).open(file)?;
        lock(&file)?;
        Ok(Self { _file: file })
    }
}

#[cfg(unix)]
fn lock(file: &File) -> io::Result<()> {
    use rustix::fs::{FlockOperation, flock};
    Ok(flock(file, FlockOperation::NonBlockingLockExclusive)?)
}

/// There is no recorder on other systems, and so nobody else who writes there.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as on other systems")]
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
