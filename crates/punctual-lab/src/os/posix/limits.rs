//! The limits that POSIX systems have.

#![allow(unsafe_code, reason = "system calls")]

use rustix::io::Errno;
use std::io::{self, ErrorKind};
use std::mem;
use std::ptr;

/// Which limit an error is about, and what to do.
pub(crate) fn limit_behind(error: &io::Error) -> Option<&'static str> {
    // What the standard library says when it is refused memory.
    let of_the_library = (error.kind() == ErrorKind::OutOfMemory).then_some(Errno::NOMEM);
    Some(match Errno::from_io_error(error).or(of_the_library)? {
        Errno::MFILE => {
            "this process has as many open files as it may; raise the limit with 'ulimit -n'"
        }
        Errno::NFILE => "the system has as many open files as it may (fs.file-max)",
        // Only calls that start something are asked about here.
        Errno::AGAIN => {
            "there are as many processes and threads as there may be; raise the limit with 'ulimit -u', \
             or the pids.max of the cgroup"
        }
        Errno::NOMEM => {
            "there is no memory; free some, or raise the limit ('ulimit -v', or the memory.max of the \
             cgroup)"
        }
        Errno::NOSPC => "the disk is full; free some space, or write to another one",
        Errno::DQUOT => "your share of the disk is full; free some space, or write to another one",
        Errno::FBIG => "the file is as long as it may be; raise the limit with 'ulimit -f'",
        _ => return None,
    })
}

/// A handler that does nothing, and not "ignore": programs that are started would inherit that.
pub(crate) fn make_file_size_limit_an_error() {
    extern "C" fn nothing(_: libc::c_int) {}
    // SAFETY: plain numbers, for which zero is a value.
    let mut found: libc::sigaction = unsafe { mem::zeroed() };
    // SAFETY: the old action is valid for writing, and no new one is given.
    let asked = unsafe { libc::sigaction(libc::SIGXFSZ, ptr::null(), &raw mut found) };
    if asked < 0 || found.sa_sigaction != libc::SIG_DFL {
        return;
    }
    found.sa_sigaction = nothing as extern "C" fn(libc::c_int) as libc::sighandler_t;
    found.sa_flags = libc::SA_RESTART;
    // SAFETY: the action is valid for reading, and its handler does nothing.
    unsafe { libc::sigaction(libc::SIGXFSZ, &raw const found, ptr::null_mut()) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_says_which_it_is() {
        for (error, says) in [
            (libc::EMFILE, "ulimit -n"),
            (libc::ENFILE, "file-max"),
            (libc::EAGAIN, "ulimit -u"),
            (libc::ENOMEM, "memory"),
            (libc::ENOSPC, "disk is full"),
            (libc::EDQUOT, "share of the disk"),
            (libc::EFBIG, "ulimit -f"),
        ] {
            let error = io::Error::from_raw_os_error(error);
            let limit = limit_behind(&error).unwrap();
            assert!(limit.contains(says), "{error}: {limit}");
        }
        let of_the_library = io::Error::from(ErrorKind::OutOfMemory);
        assert!(limit_behind(&of_the_library).is_some());
        assert_eq!(
            limit_behind(&io::Error::from_raw_os_error(libc::ENOENT)),
            None
        );
        assert_eq!(limit_behind(&io::Error::other("it is text")), None);
    }
}
