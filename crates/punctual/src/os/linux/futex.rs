//! The bell, a futex word, and the two ways Linux offers to wait on one until an absolute instant.

use super::clock::{self, Timespec};
use super::slack::SlackGuard;
use crate::Instant;
use std::io;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

/// A futex word: zero until it is rung.
#[derive(Debug, Clone, Default)]
pub struct Bell(Arc<AtomicU32>);

/// The call `futex` that takes a [`Timespec`]: on processors of 32 bits another one, from Linux 5.1 on.
/// <https://man7.org/linux/man-pages/man2/futex.2.html>
#[cfg(target_pointer_width = "64")]
pub(super) const FUTEX: libc::c_long = libc::SYS_futex;
/// `futex_time64` of `asm-generic/unistd.h`: the same number on all processors of 32 bits that this is built for.
#[cfg(target_pointer_width = "32")]
pub(super) const FUTEX: libc::c_long = 422;

const HUSHED: u32 = 0;
const RUNG: u32 = 1;

impl Bell {
    /// Both this and [`hush`](Self::hush) exchange the word, so that who hushes sees what was done
    /// before every ring that it takes back: a plain store would cut the chain from ring to ring, and
    /// let what follows a hush be read before it.
    pub(super) fn ring(&self) {
        self.0.swap(RUNG, Ordering::Release);
        let operation = libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG;
        // SAFETY: the word outlives the call. A wake has no way to fail on a valid address.
        unsafe { libc::syscall(FUTEX, self.0.as_ptr(), operation, libc::c_int::MAX) };
    }

    pub(super) fn hush(&self) {
        self.0.swap(HUSHED, Ordering::AcqRel);
    }

    pub(super) fn is_rung(&self) -> bool {
        self.0.load(Ordering::Acquire) == RUNG
    }
}

/// Which call waits without timer slack.
///
/// Slack lets the kernel end a wait 50 µs late, and there are two ways not to pay it: a call to
/// which it does not apply, or setting the thread's slack to the least there is and putting it
/// back. Median lateness of a wait of 1 ms in two runs of 2,000 each, on a two-processor virtual
/// machine (AMD EPYC, Linux 6.18, slack at its default of 50 µs):
///
/// | call | p50, µs | cancelled by |
/// |---|---|---|
/// | `clock_nanosleep` | 75, 78 | a signal |
/// | `futex` wait, slack as found | 78, 75 | a wake |
/// | `futex` wait, slack set and restored | 42, 27 | a wake |
/// | `futex_waitv` | 27, 27 | a wake |
/// | `timerfd` | 29, 29 | a second descriptor and a poll |
///
/// `futex_waitv` is as good as the best, needs no descriptor, and never touches the thread's
/// setting, which a signal handler or a debugger might see. So it is the choice where it exists
/// (Linux 5.16, and no sandbox that refuses it); elsewhere slack is set, and restored, around each
/// wait, which costs three calls of 0.17 µs on the same machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Primitive {
    /// `futex_waitv`: slack does not apply to it.
    WaitV,
    /// `futex` with `FUTEX_WAIT_BITSET`, between two settings of the thread's slack.
    WaitBitset,
    /// The standard library's sleep, a millisecond at a time with a look at the bell between: in a sandbox that refuses
    /// the others, and before Linux 5.1 on processors of 32 bits.
    Nap,
}

impl Primitive {
    /// Asks for waits that cannot begin (the word differs from what is expected): a kernel that
    /// knows the call says so, and anything else means that it, or a sandbox, refuses.
    pub(super) fn detect() -> Self {
        let word = AtomicU32::new(RUNG);
        match (wait_v(&word, None), wait_bitset(&word, None)) {
            // Waits with a tolerance need both.
            (Err(libc::EAGAIN), Err(libc::EAGAIN)) => Self::WaitV,
            (_, Err(libc::EAGAIN)) => Self::WaitBitset,
            _ => Self::Nap,
        }
    }

    /// Waits while the bell is hushed, and returns whether a signal ended it. May return early for any reason; the caller
    /// looks. In a sandbox that came after [`detect`](Self::detect) it waits, too.
    pub(super) fn wait(self, bell: &Bell, until: Option<Instant>, tolerance: Duration) -> bool {
        let is_exact = self == Self::WaitV && tolerance.is_zero();
        let waited = is_exact.then(|| is_signal(wait_v(&bell.0, until)));
        waited
            .flatten()
            .unwrap_or_else(|| self.wait_or_signal(bell, until, tolerance))
    }

    /// As [`wait`](Self::wait), but a signal ends a wait until an instant even if its handler was installed with
    /// `SA_RESTART`: then the kernel goes on with `futex_waitv` by itself. It never does so with a `futex` wait that has a
    /// timeout, which takes another call to go on. (`ERESTARTSYS` and `ERESTART_RESTARTBLOCK` in `kernel/futex/waitwake.c`.)
    pub(super) fn wait_or_signal(
        self,
        bell: &Bell,
        until: Option<Instant>,
        tolerance: Duration,
    ) -> bool {
        if self != Self::Nap {
            let _slack = SlackGuard::set(tolerance);
            if let Some(is_signal) = is_signal(wait_bitset(&bell.0, until)) {
                return is_signal;
            }
        }
        nap(bell, until);
        false
    }
}

fn nap(bell: &Bell, until: Option<Instant>) {
    const LONGEST: Duration = Duration::from_millis(1);
    let remaining = until.map_or(LONGEST, |until| until.duration_since(clock::now()));
    if !bell.is_rung() {
        thread::sleep(remaining.min(LONGEST));
    }
}

/// Whether a signal ended the call, if it did what it is for: whether the bell rang and what time it is are looked up
/// anyway.
fn is_signal(outcome: Result<(), libc::c_int>) -> Option<bool> {
    match outcome {
        Ok(()) | Err(libc::EAGAIN | libc::ETIMEDOUT) => Some(false),
        Err(libc::EINTR) => Some(true),
        Err(_) => None,
    }
}

/// `FUTEX2_SIZE_U32` of `linux/futex.h`: the word has 32 bits.
const FUTEX2_SIZE_U32: u32 = 2;

/// `FUTEX2_PRIVATE` of the same: no other process has the word.
const FUTEX2_PRIVATE: u32 = 128;

/// <https://docs.kernel.org/userspace-api/futex2.html>
fn wait_v(word: &AtomicU32, until: Option<Instant>) -> Result<(), libc::c_int> {
    // SAFETY: the structure is plain numbers, for which zero is a value.
    let mut waiter: libc::futex_waitv = unsafe { std::mem::zeroed() };
    waiter.val = u64::from(HUSHED);
    waiter.uaddr = word.as_ptr() as u64;
    waiter.flags = FUTEX2_SIZE_U32 | FUTEX2_PRIVATE;
    let timeout = until.map(Timespec::at);
    let timeout = timeout.as_ref().map_or(ptr::null(), ptr::from_ref);
    // SAFETY: `waiter` is an array of one, it and the timeout (or null, for none) outlive the call,
    // and so does the word.
    let result = unsafe {
        libc::syscall(
            libc::SYS_futex_waitv,
            &raw const waiter,
            1_u32,
            0_u32,
            timeout,
            libc::CLOCK_MONOTONIC,
        )
    };
    if result < 0 { Err(errno()) } else { Ok(()) }
}

/// <https://man7.org/linux/man-pages/man2/futex.2.html>
fn wait_bitset(word: &AtomicU32, until: Option<Instant>) -> Result<(), libc::c_int> {
    let operation = libc::FUTEX_WAIT_BITSET | libc::FUTEX_PRIVATE_FLAG;
    let timeout = until.map(Timespec::at);
    let timeout = timeout.as_ref().map_or(ptr::null(), ptr::from_ref);
    // SAFETY: the word and the timeout (or null, for none) outlive the call; the fifth argument is
    // not looked at.
    let result = unsafe {
        libc::syscall(
            FUTEX,
            word.as_ptr(),
            operation,
            HUSHED,
            timeout,
            ptr::null::<u32>(),
            libc::FUTEX_BITSET_MATCH_ANY,
        )
    };
    if result < 0 { Err(errno()) } else { Ok(()) }
}

fn errno() -> libc::c_int {
    io::Error::last_os_error().raw_os_error().unwrap_or(0)
}
