//! One thread's wait: a kernel queue with a timer and a user event.
//!
//! Of what macOS has to wait with, only this is documented, takes an absolute time with a tolerance
//! of its own, and can be ended by another thread, on every version since 11 and before:
//! `mach_wait_until` hears nothing, a condition variable takes no tolerance, and
//! `os_sync_wait_on_address` came with 14.4.
//!
//! <https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/kevent64.2.html>

use super::super::waiters::Queue;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr;

/// A queue on which one thread at a time waits. Not inherited by child processes.
#[derive(Debug)]
pub(super) struct Kqueue(OwnedFd);

/// When to wake, in counts of `mach_absolute_time`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Alarm {
    pub(super) at: u64,
    /// How much later it may be.
    pub(super) leeway: u64,
}

/// Each filter has one event, so both can have the same number.
const IDENT: u64 = 0;

impl Kqueue {
    /// # Errors
    /// When the process or the system has no descriptor left.
    pub(super) fn open() -> io::Result<Self> {
        // SAFETY: no arguments; the result is checked.
        let descriptor = unsafe { libc::kqueue() };
        if descriptor < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the descriptor is new and nothing else's.
        let queue = Self(unsafe { OwnedFd::from_raw_fd(descriptor) });
        let flags = libc::EV_ADD | libc::EV_CLEAR;
        queue.exchange(&[event(libc::EVFILT_USER, flags, 0)], &mut [])?;
        Ok(queue)
    }

    /// Waits until the alarm, for ever if there is none, or until it is triggered. May return
    /// early: an earlier alarm or trigger may be left. Returns whether a signal ended it, which it does even if the
    /// handler was installed with `SA_RESTART`.
    ///
    /// # Errors
    /// When the kernel has no memory for a timer.
    pub(super) fn wait(&self, alarm: Option<Alarm>) -> io::Result<bool> {
        let timer = alarm.map(timer);
        let mut events = [event(0, 0, 0); 2];
        match self.exchange(timer.as_slice(), &mut events) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(true),
            Err(error) => Err(error),
            Ok(count) => match events[..count].iter().find(|event| is_error(event)) {
                Some(refused) => Err(io::Error::from_raw_os_error(
                    i32::try_from(refused.data).unwrap_or(libc::EINVAL),
                )),
                None => Ok(false),
            },
        }
    }

    /// Makes changes, then waits until there is an event, if there is room for any.
    fn exchange(
        &self,
        changes: &[libc::kevent64_s],
        events: &mut [libc::kevent64_s],
    ) -> io::Result<usize> {
        let length = |events: usize| i32::try_from(events).unwrap_or(i32::MAX);
        // SAFETY: both lists are valid for the lengths given, and no timeout is asked for. The
        // queue is open.
        let count = unsafe {
            libc::kevent64(
                self.0.as_raw_fd(),
                changes.as_ptr(),
                length(changes.len()),
                events.as_mut_ptr(),
                length(events.len()),
                libc::KEVENT_FLAG_NONE,
                ptr::null(),
            )
        };
        usize::try_from(count).map_err(|_| io::Error::last_os_error())
    }
}

impl Queue for Kqueue {
    fn trigger(&self) {
        // The event is there since the queue was opened, so there is nothing to refuse.
        let _ = self.exchange(&[event(libc::EVFILT_USER, 0, libc::NOTE_TRIGGER)], &mut []);
    }
}

/// The one-shot timer of an alarm: adding it again sets it anew.
fn timer(alarm: Alarm) -> libc::kevent64_s {
    let mut notes = libc::NOTE_MACHTIME | libc::NOTE_ABSOLUTE | libc::NOTE_LEEWAY;
    if alarm.leeway == 0 {
        notes |= libc::NOTE_CRITICAL;
    }
    libc::kevent64_s {
        // Later than 63 bits count is later than anything waits.
        data: i64::try_from(alarm.at).unwrap_or(i64::MAX),
        ext: [0, alarm.leeway],
        ..event(libc::EVFILT_TIMER, libc::EV_ADD | libc::EV_ONESHOT, notes)
    }
}

fn event(filter: i16, flags: u16, notes: u32) -> libc::kevent64_s {
    libc::kevent64_s {
        ident: IDENT,
        filter,
        flags,
        fflags: notes,
        data: 0,
        udata: 0,
        ext: [0; 2],
    }
}

fn is_error(event: &libc::kevent64_s) -> bool {
    event.flags & libc::EV_ERROR != 0
}
