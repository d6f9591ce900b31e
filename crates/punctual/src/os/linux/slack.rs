//! Timer slack: by how much the kernel may delay this thread's timers so that wake-ups coincide.
//!
//! It is a property of the thread (50 µs unless something changed it, inherited from the thread that
//! started it), so whoever changes it for one wait puts it back after. See `PR_SET_TIMERSLACK`:
//! <https://man7.org/linux/man-pages/man2/PR_SET_TIMERSLACK.2const.html>

use crate::instant::saturating_nanos;
use std::marker::PhantomData;
use std::time::Duration;

/// The calling thread's slack, changed until this is dropped.
pub(super) struct SlackGuard {
    found_nanos: libc::c_long,
    /// Slack belongs to the thread: the guard must be dropped where it was made.
    not_send: PhantomData<*const ()>,
}

impl SlackGuard {
    /// Sets the calling thread's slack. `None` when there is nothing to set or to put back:
    /// real-time threads have no slack and report it as zero.
    pub(super) fn set(slack: Duration) -> Option<Self> {
        let found_nanos = slack_nanos();
        if found_nanos <= 0 {
            return None;
        }
        // Zero would not mean none: it sets the slack back to the thread's default.
        let nanos = saturating_nanos(slack).max(1);
        set_slack_nanos(libc::c_long::try_from(nanos).unwrap_or(libc::c_long::MAX));
        Some(Self {
            found_nanos,
            not_send: PhantomData,
        })
    }
}

impl Drop for SlackGuard {
    fn drop(&mut self) {
        set_slack_nanos(self.found_nanos);
    }
}

/// The calling thread's slack. Called without the C library, whose `prctl` returns 32 bits and so
/// misreports a slack of over two seconds.
pub(super) fn slack_nanos() -> libc::c_long {
    // SAFETY: reads a number of the calling thread; no pointers.
    unsafe { libc::syscall(libc::SYS_prctl, libc::PR_GET_TIMERSLACK, 0, 0, 0, 0) }
}

fn set_slack_nanos(nanos: libc::c_long) {
    // SAFETY: sets a number of the calling thread; no pointers. It has no way to fail that matters:
    // a kernel without timer slack (never since 2.6.28) would refuse, and have none to remove.
    unsafe { libc::syscall(libc::SYS_prctl, libc::PR_SET_TIMERSLACK, nanos, 0, 0, 0) };
}
