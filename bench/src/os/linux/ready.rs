//! Calls with a timeout for which what they wait for is there already: all that is left is what the call
//! itself costs.

use super::waits::Epoll;
use rustix::process::getppid;
use rustix::thread::futex::{self, Flags};
use rustix::time::Timespec;
use std::io::{self, PipeReader, PipeWriter, Write};
use std::mem;
use std::os::fd::{AsFd, AsRawFd};
use std::ptr;
use std::sync::atomic::AtomicU32;

/// A second: never waited for.
const SECONDS: i64 = 1;
const MILLIS: libc::c_int = 1_000;
const NANOS: u64 = 1_000_000_000;

/// A pipe with a byte in it, and an epoll instance that watches it.
pub struct Ready {
    reading: PipeReader,
    _writing: PipeWriter,
    epoll: Epoll,
}

impl Ready {
    pub fn new() -> io::Result<Self> {
        let (reading, mut writing) = io::pipe()?;
        writing.write_all(b"x")?;
        Ok(Self {
            epoll: Epoll::new(Some(reading.as_fd()))?,
            reading,
            _writing: writing,
        })
    }

    pub fn poll(&self) {
        let mut files = libc::pollfd {
            fd: self.reading.as_raw_fd(),
            events: libc::POLLIN,
            revents: 0,
        };
        // SAFETY: `files` is one entry, valid for reading and writing.
        let found = unsafe { libc::poll(&raw mut files, 1, MILLIS) };
        assert_eq!(found, 1, "poll");
    }

    pub fn epoll_wait(&self) {
        let found = self.epoll.wait(Some(NANOS));
        assert_eq!(found, 1, "epoll_wait");
    }

    pub fn select(&self) {
        let file = self.reading.as_raw_fd();
        // SAFETY: a structure of plain numbers, for which zero is a value.
        let mut files: libc::fd_set = unsafe { mem::zeroed() };
        // SAFETY: `files` is valid for writing, and this program has few files.
        unsafe { libc::FD_SET(file, &raw mut files) };
        let mut timeout = libc::timeval {
            tv_sec: SECONDS,
            tv_usec: 0,
        };
        // SAFETY: `files` and `timeout` are valid for reading and writing; null stands for no files.
        let found = unsafe {
            libc::select(
                file + 1,
                &raw mut files,
                ptr::null_mut(),
                ptr::null_mut(),
                &raw mut timeout,
            )
        };
        assert_eq!(found, 1, "select");
    }
}

/// A futex whose value is not what the caller says: the call returns at once.
pub fn futex() {
    let word = AtomicU32::new(1);
    let timeout = Timespec {
        tv_sec: SECONDS,
        tv_nsec: 0,
    };
    let returned = futex::wait(&word, Flags::PRIVATE, 0, Some(&timeout));
    assert!(returned.is_err(), "futex");
}

/// A call without a timeout, which no tracer need see.
pub fn untimed() {
    let _parent = getppid();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_ready() {
        let ready = Ready::new().unwrap();
        ready.poll();
        ready.epoll_wait();
        ready.select();
        futex();
        untimed();
    }
}
