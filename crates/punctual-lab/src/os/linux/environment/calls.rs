//! The two facts that need a system call.

/// The resolution of a clock, in nanoseconds.
pub(super) fn resolution_ns(clock: libc::clockid_t) -> Option<u64> {
    let mut resolution = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `resolution` is valid for writing. A clock that the kernel lacks is refused.
    if unsafe { libc::clock_getres(clock, &raw mut resolution) } != 0 {
        return None;
    }
    let seconds = u64::try_from(resolution.tv_sec).ok()?;
    let nanos = u64::try_from(resolution.tv_nsec).ok()?;
    seconds.checked_mul(1_000_000_000)?.checked_add(nanos)
}

/// The calling thread's timer slack, in nanoseconds. Calls the kernel directly: the C library's
/// `prctl` returns 32 bits, and so gives a wrong value for a slack of over two seconds.
pub(in super::super) fn timer_slack_ns() -> Option<u64> {
    // SAFETY: reads a number of the calling thread; no pointers.
    let nanos = unsafe { libc::syscall(libc::SYS_prctl, libc::PR_GET_TIMERSLACK, 0, 0, 0, 0) };
    u64::try_from(nanos).ok()
}
