//! What a process is given by the one that starts it.

#![allow(unsafe_code, reason = "system calls between fork and exec")]

use std::ffi::OsStr;
use std::process::Command;

/// A program that starts with the system's own handling of the signals that end programs. A shell starts what
/// runs in its background with some of them ignored, `nohup` does too, and children inherit that.
#[cfg(target_os = "linux")]
pub(crate) fn started(program: impl AsRef<OsStr>) -> Command {
    use std::io;
    use std::os::unix::process::CommandExt;

    const SIGNALS: [libc::c_int; 4] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT];
    let mut command = Command::new(program);
    let set = || {
        for signal in SIGNALS {
            // SAFETY: it takes numbers, and the default is no handler that could be called.
            if unsafe { libc::signal(signal, libc::SIG_DFL) } == libc::SIG_ERR {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(())
    };
    // SAFETY: it only makes system calls.
    unsafe { command.pre_exec(set) };
    command
}

/// Nothing is traced on other systems.
#[cfg(not(target_os = "linux"))]
pub(crate) fn started(program: impl AsRef<OsStr>) -> Command {
    Command::new(program)
}
