//! Calls with a timeout as the C library has them, and a look at a page that is not in memory.

use rustix::fs::{Advice, fadvise};
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, RawFd};
use std::{mem, ptr};

/// Waits until something can be read from a file, or for so long if there is none. Says how many can be read, as the
/// next two do.
pub fn poll(file: Option<BorrowedFd<'_>>, millis: i32) -> i32 {
    // The kernel passes over a negative one.
    let fd = file.map_or(-1, |file| file.as_raw_fd());
    let (events, revents) = (libc::POLLIN, 0);
    let mut files = libc::pollfd {
        fd,
        events,
        revents,
    };
    // SAFETY: `files` is one entry, valid for reading and writing.
    unsafe { libc::poll(&raw mut files, 1, millis) }
}

pub fn epoll_wait(epoll: BorrowedFd<'_>, millis: i32) -> i32 {
    let mut event = libc::epoll_event { events: 0, u64: 0 };
    // SAFETY: `event` is valid for writing, and the only one.
    unsafe { libc::epoll_wait(epoll.as_raw_fd(), &raw mut event, 1, millis) }
}

/// The file must be one of this process's first thousand.
pub fn select(file: BorrowedFd<'_>, tv_sec: i64) -> i32 {
    let (fd, none): (RawFd, _) = (file.as_raw_fd(), ptr::null_mut());
    // SAFETY: a structure of plain numbers, for which zero is a value.
    let mut files: libc::fd_set = unsafe { mem::zeroed() };
    // SAFETY: `files` is valid for writing, and has room for this file.
    unsafe { libc::FD_SET(fd, &raw mut files) };
    let mut timeout = libc::timeval { tv_sec, tv_usec: 0 };
    // SAFETY: `files` and `timeout` are valid for reading and writing; null stands for no files.
    unsafe { libc::select(fd + 1, &raw mut files, none, none, &raw mut timeout) }
}

/// Sends a file of this length away from memory and looks at one byte of it, so that the look waits for the disk.
pub fn look_at_disk(file: &File, bytes: usize, at: usize) -> io::Result<()> {
    // It is advice: a kernel that does not take it has the page in memory, which shows in the log.
    let _ = fadvise(file, 0, None, Advice::DontNeed);
    // SAFETY: a new mapping, at an address that the kernel chooses.
    let start = unsafe {
        mmap(
            ptr::null_mut(),
            bytes,
            ProtFlags::READ,
            MapFlags::SHARED,
            file,
            0,
        )
    }?;
    let byte = start.cast::<u8>().wrapping_add(at % bytes);
    // SAFETY: within the mapping, and the file is not shorter.
    let _byte = unsafe { byte.read_volatile() };
    // SAFETY: the mapping is this function's own, and no reference into it exists.
    Ok(unsafe { munmap(start, bytes) }?)
}
