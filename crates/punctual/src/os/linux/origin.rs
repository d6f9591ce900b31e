//! Whether this process is a fork: a page of memory that the kernel wipes in a child.

use std::io;
use std::process;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU32, Ordering};

/// In which process it was made.
///
/// A page that forks get as zeros, where the kernel has such pages (`MADV_WIPEONFORK`, from Linux
/// 4.14 on) and gives one; otherwise the process's number, which costs a system call to ask for, and
/// which a grandchild could have again.
#[derive(Debug)]
pub struct Origin(Mark);

#[derive(Debug)]
enum Mark {
    Page(Page),
    Number(u32),
}

impl Origin {
    pub(super) fn new() -> Self {
        Self(Page::map().map_or_else(|_| Mark::Number(process::id()), Mark::Page))
    }

    #[inline]
    pub(super) fn is_forked(&self) -> bool {
        match &self.0 {
            Mark::Page(page) => page.is_wiped(),
            Mark::Number(origin) => process::id() != *origin,
        }
    }

    #[cfg(test)]
    pub(super) fn by_number() -> Self {
        Self(Mark::Number(process::id()))
    }
}

/// A word at the beginning of a page of its own, unmapped on drop.
#[derive(Debug)]
struct Page(NonNull<AtomicU32>);

/// What the word says in the process that wrote it. Forks read zero.
const WRITTEN: u32 = 1;

/// The kernel rounds it up to a whole page.
const LENGTH: usize = size_of::<AtomicU32>();

impl Page {
    /// # Errors
    /// Without memory, and on kernels before 4.14.
    fn map() -> io::Result<Self> {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: a new mapping, wherever the kernel likes; it takes nothing away.
        let page = unsafe { libc::mmap(ptr::null_mut(), LENGTH, protection, flags, -1, 0) };
        let page = if page == libc::MAP_FAILED {
            None
        } else {
            NonNull::new(page.cast())
        };
        let page = Self(page.ok_or_else(io::Error::last_os_error)?);
        // SAFETY: the page is ours, and nothing is in it yet.
        let advised = unsafe { libc::madvise(page.address(), LENGTH, libc::MADV_WIPEONFORK) };
        if advised != 0 {
            return Err(io::Error::last_os_error());
        }
        page.word().store(WRITTEN, Ordering::Relaxed);
        Ok(page)
    }

    #[inline]
    fn is_wiped(&self) -> bool {
        self.word().load(Ordering::Relaxed) != WRITTEN
    }

    #[inline]
    fn word(&self) -> &AtomicU32 {
        // SAFETY: the page stays mapped while `self` lives, and a word of zeros is a value.
        unsafe { self.0.as_ref() }
    }

    fn address(&self) -> *mut libc::c_void {
        self.0.as_ptr().cast()
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // SAFETY: nothing else knows the page.
        unsafe { libc::munmap(self.address(), LENGTH) };
    }
}

// SAFETY: the page belongs to no thread, and its word is atomic.
unsafe impl Send for Page {}
// SAFETY: as above.
unsafe impl Sync for Page {}
