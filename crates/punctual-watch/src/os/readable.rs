//! Files for everybody to read.

use std::fs::File;
use std::io;

/// Lets everybody read the file and only its owner write it, whatever the umask: node_exporter runs as another user.
#[cfg(unix)]
pub(crate) fn by_all(file: &File) -> io::Result<()> {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    file.set_permissions(Permissions::from_mode(0o644))
}

/// Elsewhere the folder decides.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as on other systems")]
pub(crate) fn by_all(_: &File) -> io::Result<()> {
    Ok(())
}
