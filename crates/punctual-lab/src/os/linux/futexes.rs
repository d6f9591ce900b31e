//! Waiting on a word of memory that nobody changes, until an absolute instant.

use super::{timespec_at, unavailable};
use crate::machine::{Method, Offer};
use punctual::{Instant, Native};
use std::io;
use std::ptr;
use std::sync::atomic::AtomicU32;

/// <https://man7.org/linux/man-pages/man2/futex.2.html>
pub(super) const FUTEX: Offer<Native> = Offer {
    name: "futex",
    summary: "futex FUTEX_WAIT_BITSET until the deadline",
    slack_applies: true,
    make: |os, _| {
        Ok(Box::new(Futex {
            os: os.clone(),
            word: AtomicU32::new(UNCHANGED),
        }))
    },
};

/// <https://docs.kernel.org/userspace-api/futex2.html>
pub(super) const FUTEX_WAITV: Offer<Native> = Offer {
    name: "futex-waitv",
    summary: "futex_waitv until the deadline; timer slack does not apply",
    slack_applies: false,
    make: |os, _| {
        let changed = FutexWaitv {
            os: os.clone(),
            word: AtomicU32::new(UNCHANGED + 1),
        };
        // A wait that cannot begin tells whether the kernel has the call: it says EAGAIN.
        changed.wait(os.now());
        if io::Error::last_os_error().raw_os_error() != Some(libc::EAGAIN) {
            return Err(unavailable("futex_waitv", "5.16"));
        }
        let word = AtomicU32::new(UNCHANGED);
        Ok(Box::new(FutexWaitv {
            os: os.clone(),
            word,
        }))
    },
};

/// What the word holds, and what a wait expects of it.
const UNCHANGED: u32 = 0;

struct Futex {
    os: Native,
    word: AtomicU32,
}

impl Method for Futex {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        let until = timespec_at(deadline);
        // SAFETY: the word and the timeout outlive the call; the fifth argument is not looked at.
        unsafe {
            libc::syscall(
                libc::SYS_futex,
                self.word.as_ptr(),
                libc::FUTEX_WAIT_BITSET | libc::FUTEX_PRIVATE_FLAG,
                UNCHANGED,
                &raw const until,
                ptr::null::<u32>(),
                libc::FUTEX_BITSET_MATCH_ANY,
            )
        };
        self.os.now()
    }
}

struct FutexWaitv {
    os: Native,
    word: AtomicU32,
}

impl FutexWaitv {
    fn wait(&self, deadline: Instant) {
        /// `FUTEX2_SIZE_U32` of `linux/futex.h`.
        const WORD_OF_32_BITS: u32 = 2;
        let until = timespec_at(deadline);
        // SAFETY: plain numbers, for which zero is a value.
        let mut waiter: libc::futex_waitv = unsafe { std::mem::zeroed() };
        waiter.val = UNCHANGED.into();
        waiter.uaddr = self.word.as_ptr() as u64;
        waiter.flags = WORD_OF_32_BITS | libc::FUTEX_PRIVATE_FLAG.cast_unsigned();
        // SAFETY: an array of one waiter; it, its word and the timeout outlive the call.
        unsafe {
            libc::syscall(
                libc::SYS_futex_waitv,
                &raw const waiter,
                1_u32,
                0_u32,
                &raw const until,
                libc::CLOCK_MONOTONIC,
            )
        };
    }
}

impl Method for FutexWaitv {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        self.wait(deadline);
        self.os.now()
    }
}
