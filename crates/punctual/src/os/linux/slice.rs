//! The slice of a thread: how long it may compute before the scheduler looks for the next.
//!
//! From version 6.12 on, a thread of the ordinary class can set its own with `sched_setattr`, and the
//! scheduler gives turns by *virtual deadlines*, which are a slice away. Earlier versions accept the
//! call, and show a slice of zero.
//!
//! - <https://man7.org/linux/man-pages/man2/sched_setattr.2.html>
//! - <https://docs.kernel.org/scheduler/sched-eevdf.html>
//!
//! Threads, forks and programs that a thread starts inherit its slice.

mod hold;
mod place;

pub use hold::Hold;
pub(super) use place::{is_taken_here, settle, shed};

use crate::Error;
use crate::instant::saturating_nanos;
use crate::os::slice::check_slice;
use place::Place;
use std::io;
use std::time::Duration;

/// What a thread had before its slice was set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoundSlice {
    /// `None` for the system's default.
    own_nanos: Option<u64>,
}

/// `struct sched_attr` in its first version, which has all that is needed here.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
struct Attributes {
    size: u32,
    policy: u32,
    flags: u64,
    nice: i32,
    priority: u32,
    /// For the ordinary class: the slice.
    runtime_nanos: u64,
    deadline: u64,
    period: u64,
}

/// For `sched_setattr`: the system's default slice.
const DEFAULT: u64 = 0;

/// Whose slice a call means.
#[derive(Debug, Clone, Copy)]
enum Whose {
    CallingThread,
    /// Of another thread of this process, which is known to live.
    Thread(libc::pid_t),
}

impl Whose {
    fn id(self) -> libc::pid_t {
        match self {
            Self::CallingThread => 0,
            Self::Thread(id) => id,
        }
    }
}

impl Attributes {
    fn read(whose: Whose) -> io::Result<Self> {
        const SIZE: usize = size_of::<Attributes>();
        const NO_FLAGS: libc::c_uint = 0;
        let mut found = Self::default();
        // SAFETY: `found` is valid for writing, with the size given.
        let result = unsafe {
            libc::syscall(
                libc::SYS_sched_getattr,
                whose.id(),
                &raw mut found,
                SIZE,
                NO_FLAGS,
            )
        };
        succeeded(result).map(|()| found)
    }

    /// Sets the slice, and all else as it was read.
    fn set_slice(&self, whose: Whose, nanos: u64) -> io::Result<()> {
        const NO_FLAGS: libc::c_uint = 0;
        let wanted = Self {
            runtime_nanos: nanos,
            ..*self
        };
        // SAFETY: `wanted` is valid for reading, and says its size.
        let result = unsafe {
            libc::syscall(
                libc::SYS_sched_setattr,
                whose.id(),
                &raw const wanted,
                NO_FLAGS,
            )
        };
        succeeded(result)
    }

    /// Only the ordinary class and the one for batches have slices.
    fn has_slice(&self) -> bool {
        self.is_ordinary() || i32::try_from(self.policy) == Ok(libc::SCHED_BATCH)
    }

    fn is_ordinary(&self) -> bool {
        i32::try_from(self.policy) == Ok(libc::SCHED_OTHER)
    }
}

/// The calling thread's slice.
pub(super) fn slice() -> Result<Duration, Error> {
    readable().map(|found| Duration::from_nanos(found.runtime_nanos))
}

/// The slice of another process's main thread.
#[cfg(test)]
pub(super) fn slice_of_process(id: libc::pid_t) -> io::Result<Duration> {
    Attributes::read(Whose::Thread(id)).map(|found| Duration::from_nanos(found.runtime_nanos))
}

/// Sets the calling thread's slice.
pub(super) fn set(slice: Duration) -> Result<FoundSlice, Error> {
    check_slice(slice)?;
    let wanted = place::other_than_ours(saturating_nanos(slice));
    Place::of_this_thread_locked(|| {
        let found = readable()?;
        let own = default_or_own(&found).map_err(refused)?;
        set_own(wanted).map_err(refused)?;
        if readable()?.runtime_nanos == wanted {
            return Ok(FoundSlice { own_nanos: own });
        }
        Err(no_slices())
    })
}

/// Gives the calling thread back what it had.
pub(super) fn restore(found: &FoundSlice) {
    Place::of_this_thread_locked(|| {
        // It was permitted before.
        let _ = set_own(found.own_nanos.unwrap_or(DEFAULT));
    });
    // A sleeper of this thread that has found the slice taken may have it now.
    settle();
}

/// Whether the calling thread's slice is its own, and which. Ours is not: who holds it takes it away.
fn default_or_own(found: &Attributes) -> io::Result<Option<u64>> {
    if place::is_ours(found) {
        return Ok(None);
    }
    found.set_slice(Whose::CallingThread, DEFAULT)?;
    let default = Attributes::read(Whose::CallingThread)?.runtime_nanos;
    Ok((default != found.runtime_nanos).then_some(found.runtime_nanos))
}

fn set_own(nanos: u64) -> io::Result<()> {
    Attributes::read(Whose::CallingThread)?.set_slice(Whose::CallingThread, nanos)
}

/// The calling thread's attributes, if a slice is among them.
fn readable() -> Result<Attributes, Error> {
    let found = Attributes::read(Whose::CallingThread).map_err(refused)?;
    if !found.has_slice() {
        return Err(Error::unsupported(
            "a thread of a real-time, deadline or idle class has no slice: set one before the priority \
             is raised, or for an ordinary thread",
        ));
    }
    if found.runtime_nanos == 0 {
        return Err(no_slices());
    }
    Ok(found)
}

fn no_slices() -> Error {
    Error::unsupported(
        "this kernel gives no thread a slice of its own: that needs Linux 6.12 or later",
    )
}

fn refused(error: io::Error) -> Error {
    let refusal = match error.raw_os_error() {
        Some(libc::EPERM | libc::EACCES) => Error::not_permitted(format!(
            "the system refuses a slice ({error}): a sandbox forbids the call sched_setattr, which \
             needs no privilege otherwise"
        )),
        Some(libc::ENOSYS) => no_slices(),
        _ => Error::system(format!("the scheduler refuses a slice: {error}")),
    };
    refusal.because_of(error)
}

fn succeeded(result: libc::c_long) -> io::Result<()> {
    if result < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(())
    }
}
