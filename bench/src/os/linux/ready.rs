//! Calls with a timeout for which what they wait for is there already: all that is left is what the call
//! itself costs.

use std::io::{self, Error};
use std::mem;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr;

/// A second: never waited for.
const SECONDS: i64 = 1;
const MILLIS: libc::c_int = 1_000;

/// A pipe with a byte in it, and an epoll instance that watches it.
pub struct Ready {
    reading: OwnedFd,
    _writing: OwnedFd,
    epoll: OwnedFd,
}

impl Ready {
    pub fn new() -> io::Result<Self> {
        let [reading, writing] = pipe()?;
        // SAFETY: one byte of a text that is there for ever.
        check(unsafe { libc::write(writing.as_raw_fd(), c"x".as_ptr().cast(), 1) }.try_into())?;
        // SAFETY: no pointers.
        let epoll = check(Ok(unsafe { libc::epoll_create1(libc::EPOLL_CLOEXEC) }))?;
        // SAFETY: new, and nobody else's.
        let epoll = unsafe { OwnedFd::from_raw_fd(epoll) };
        let mut interest = libc::epoll_event {
            events: libc::EPOLLIN.cast_unsigned(),
            u64: 0,
        };
        // SAFETY: `interest` is valid for reading.
        check(Ok(unsafe {
            libc::epoll_ctl(
                epoll.as_raw_fd(),
                libc::EPOLL_CTL_ADD,
                reading.as_raw_fd(),
                &raw mut interest,
            )
        }))?;
        Ok(Self {
            reading,
            _writing: writing,
            epoll,
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
        let mut event = libc::epoll_event { events: 0, u64: 0 };
        // SAFETY: `event` has room for one.
        let found = unsafe { libc::epoll_wait(self.epoll.as_raw_fd(), &raw mut event, 1, MILLIS) };
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
    let word: u32 = 1;
    let timeout = libc::timespec {
        tv_sec: SECONDS,
        tv_nsec: 0,
    };
    // SAFETY: `word` and `timeout` are valid for reading.
    let returned = unsafe {
        libc::syscall(
            libc::SYS_futex,
            &raw const word,
            libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG,
            0,
            &raw const timeout,
        )
    };
    assert_eq!(returned, -1, "futex");
}

/// A call without a timeout, which no tracer need see.
pub fn untimed() {
    // SAFETY: no pointers.
    unsafe { libc::syscall(libc::SYS_getppid) };
}

/// The ends of a pipe: for reading and for writing.
pub fn pipe() -> io::Result<[OwnedFd; 2]> {
    let mut ends = [0; 2];
    // SAFETY: room for two.
    check(Ok(unsafe {
        libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC)
    }))?;
    // SAFETY: new, and nobody else's.
    Ok(ends.map(|end| unsafe { OwnedFd::from_raw_fd(end) }))
}

fn check(returned: Result<libc::c_int, std::num::TryFromIntError>) -> io::Result<libc::c_int> {
    match returned {
        Ok(-1) | Err(_) => Err(Error::last_os_error()),
        Ok(returned) => Ok(returned),
    }
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
