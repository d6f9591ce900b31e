//! A timer that sends a signal, and a thread that takes it. No handler is installed.

use super::{c_timespec, timespec_at, unavailable};
use crate::waiters::{Waiter, deadlines};
use punctual::{Error, Instant, Native};
use rustix::time::Timespec;
use std::io;
use std::mem::zeroed;
use std::ptr;

/// <https://man7.org/linux/man-pages/man2/timer_create.2.html>,
/// <https://man7.org/linux/man-pages/man2/sigwaitinfo.2.html>
pub(super) const POSIX_TIMER: Waiter<Native> = Waiter::until(
    "posix-timer",
    "timer_settime and sigwaitinfo; no timer slack",
    |os: &Native, _| {
        let signal = Blocked::block(libc::SIGRTMIN())?;
        let timer = PosixTimer {
            timer: create(signal.number)?,
            signal,
        };
        // Once as a test, because this function can return a reason.
        timer
            .wait(os.now())
            .map_err(|(error, call)| unavailable(error, call, "2.6"))?;
        deadlines(os, move |deadline| {
            // It worked when it was made.
            let _ = timer.wait(deadline);
        })
    },
)
.and_lengths();

struct PosixTimer {
    timer: libc::timer_t,
    /// Dropped after the timer.
    signal: Blocked,
}

/// A timer with a signal for the calling thread, and not for any thread that the kernel picks.
fn create(signal: libc::c_int) -> Result<libc::timer_t, Error> {
    // SAFETY: plain numbers and a pointer, for which zero is a value.
    let mut event: libc::sigevent = unsafe { zeroed() };
    event.sigev_notify = libc::SIGEV_THREAD_ID;
    event.sigev_signo = signal;
    // SAFETY: takes nothing and cannot fail.
    event.sigev_notify_thread_id = unsafe { libc::gettid() };
    let mut timer = ptr::null_mut();
    // SAFETY: the event is valid for reading, the timer for writing.
    let created =
        unsafe { libc::timer_create(libc::CLOCK_MONOTONIC, &raw mut event, &raw mut timer) };
    if created < 0 {
        return Err(unavailable(
            io::Error::last_os_error(),
            "timer_create",
            "2.6",
        ));
    }
    Ok(timer)
}

impl PosixTimer {
    /// Waits until then, or returns the call that failed, and why.
    fn wait(&self, deadline: Instant) -> Result<(), (io::Error, &'static str)> {
        let setting = libc::itimerspec {
            it_interval: c_timespec(Timespec::default()),
            it_value: c_timespec(timespec_at(deadline)),
        };
        // SAFETY: the timer is ours; the setting is valid for reading; the old one is not
        // requested.
        let set = unsafe {
            libc::timer_settime(
                self.timer,
                libc::TIMER_ABSTIME,
                &raw const setting,
                ptr::null_mut(),
            )
        };
        if set < 0 {
            return Err((io::Error::last_os_error(), "timer_settime"));
        }
        let taken = self.signal.take();
        taken.map_err(|error| (error, "rt_sigtimedwait"))
    }
}

impl Drop for PosixTimer {
    fn drop(&mut self) {
        // SAFETY: the timer is ours and not used again.
        unsafe { libc::timer_delete(self.timer) };
    }
}

/// A signal that waits until the calling thread takes it, instead of ending the process.
struct Blocked {
    number: libc::c_int,
    set: libc::sigset_t,
    /// Whether another timer of this kind had already blocked it.
    was_blocked: bool,
}

impl Blocked {
    fn block(number: libc::c_int) -> Result<Self, Error> {
        // SAFETY: plain numbers, for which zero is a value: the empty set.
        let mut set: libc::sigset_t = unsafe { zeroed() };
        let mut before = set;
        // SAFETY: the set is valid for writing, and the number is that of a signal.
        unsafe { libc::sigaddset(&raw mut set, number) };
        // SAFETY: the set is valid for reading, the one before for writing.
        let error =
            unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, &raw const set, &raw mut before) };
        if error != 0 {
            let error = io::Error::from_raw_os_error(error);
            return Err(Error::system(format!("cannot block a signal: {error}")));
        }
        // SAFETY: the call before filled the set.
        let was_blocked = unsafe { libc::sigismember(&raw const before, number) } == 1;
        Ok(Self {
            number,
            set,
            was_blocked,
        })
    }

    /// Waits for the signal and takes it. Stopping and continuing the process interrupts the call.
    /// The timer continues.
    fn take(&self) -> io::Result<()> {
        // SAFETY: the set is valid for reading; the signal's details are not requested.
        while unsafe { libc::sigwaitinfo(&raw const self.set, ptr::null_mut()) } < 0 {
            let error = io::Error::last_os_error();
            if error.raw_os_error() != Some(libc::EINTR) {
                return Err(error);
            }
        }
        Ok(())
    }

    /// Takes the signal if it is there: an unblocked signal would end the process.
    fn drain(&self) {
        let at_once = c_timespec(Timespec::default());
        // SAFETY: set and time are valid for reading; the signal's details are not requested.
        unsafe { libc::sigtimedwait(&raw const self.set, ptr::null_mut(), &raw const at_once) };
    }
}

impl Drop for Blocked {
    fn drop(&mut self) {
        self.drain();
        if !self.was_blocked {
            // SAFETY: the set is valid for reading; the mask before is not requested.
            unsafe {
                libc::pthread_sigmask(libc::SIG_UNBLOCK, &raw const self.set, ptr::null_mut())
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_blocked(signal: libc::c_int) -> bool {
        // SAFETY: plain numbers, for which zero is a value.
        let mut mask = unsafe { zeroed() };
        // SAFETY: the mask, which is only asked for, is valid for writing.
        unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, ptr::null(), &raw mut mask) };
        // SAFETY: the mask was filled by the call before.
        unsafe { libc::sigismember(&raw const mask, signal) == 1 }
    }

    #[test]
    fn a_pending_signal_is_gone_when_it_is_unblocked() {
        let number = libc::SIGRTMIN();
        let first = Blocked::block(number).unwrap();
        let second = Blocked::block(number).unwrap();
        // SAFETY: takes nothing and cannot fail.
        let thread = unsafe { libc::pthread_self() };
        // SAFETY: sends a blocked signal to the calling thread.
        unsafe { libc::pthread_kill(thread, number) };
        drop(second);
        assert!(is_blocked(number), "the first still needs it");
        drop(first);
        assert!(!is_blocked(number));
    }
}
