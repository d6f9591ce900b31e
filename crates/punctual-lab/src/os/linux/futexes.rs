//! Waits on a word of memory that never changes, until an absolute instant.

use super::{timespec_at, unavailable};
use crate::machine::{Method, Offer};
use punctual::{Error, Instant, Native};
use rustix::io::Errno;
use rustix::thread::futex::{self, Flags, Wait, WaitFlags, WaitvFlags};
use rustix::time::ClockId;
use std::num::NonZeroU32;
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
    summary: "futex_waitv until the deadline; no timer slack",
    slack_applies: false,
    make: |os, _| {
        let changed = FutexWaitv {
            os: os.clone(),
            word: AtomicU32::new(UNCHANGED + 1),
        };
        // An invalid wait tests whether the kernel has the call: it then returns EAGAIN.
        match changed.wait(os.now()) {
            Err(Errno::AGAIN) => (),
            Err(error) => return Err(unavailable(error, "futex_waitv", "5.16")),
            Ok(_) => {
                return Err(Error::system(
                    "futex_waitv waited although the word had changed",
                ));
            }
        }
        let word = AtomicU32::new(UNCHANGED);
        Ok(Box::new(FutexWaitv {
            os: os.clone(),
            word,
        }))
    },
};

/// The word's value, and the value that a wait expects.
const UNCHANGED: u32 = 0;

struct Futex {
    os: Native,
    word: AtomicU32,
}

impl Method for Futex {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        let until = timespec_at(deadline);
        // No thread wakes it: it ends with the error for a timeout.
        let _ = futex::wait_bitset(
            &self.word,
            Flags::PRIVATE,
            UNCHANGED,
            Some(&until),
            NonZeroU32::MAX,
        );
        self.os.now()
    }
}

struct FutexWaitv {
    os: Native,
    word: AtomicU32,
}

impl FutexWaitv {
    fn wait(&self, deadline: Instant) -> Result<usize, Errno> {
        let mut waiter = Wait::new();
        waiter.val = UNCHANGED.into();
        waiter.uaddr = self.word.as_ptr().cast::<std::ffi::c_void>().into();
        waiter.flags = WaitFlags::SIZE_U32 | WaitFlags::PRIVATE;
        let until = timespec_at(deadline);
        futex::waitv(
            &[waiter],
            WaitvFlags::empty(),
            Some(&until),
            ClockId::Monotonic,
        )
    }
}

impl Method for FutexWaitv {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        // Likewise.
        let _ = self.wait(deadline);
        self.os.now()
    }
}
