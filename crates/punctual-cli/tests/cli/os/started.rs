//! What a process is given by the one that starts it.

#![allow(unsafe_code, reason = "system calls between fork and exec")]

use std::process::Command;

/// Lets a command start with the system's own handling of the signals that end programs. A shell starts
/// what runs in its background with some of them ignored, `nohup` does too, and children inherit that.
#[cfg(unix)]
pub fn with_default_signals(command: &mut Command) {
    use std::io;
    use std::os::unix::process::CommandExt;

    const SIGNALS: [libc::c_int; 4] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT];
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
}

/// Other systems have no signals.
#[cfg(not(unix))]
pub fn with_default_signals(_: &mut Command) {}
