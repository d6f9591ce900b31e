//! The process's memory, kept in RAM while anything holds it there.
//!
//! The kernel keeps no count: one `munlockall` undoes every `mlockall` of the process, whoever made
//! it. So the count is here, where the kernel's own state is: one for each process. No lock is held
//! across a call; instead everybody who changes the count makes the call that goes with it, looks
//! again, and repeats if the count has moved on. Whoever calls last has then looked after calling.

use crate::Error;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many hold the process's memory in place.
static HOLDERS: AtomicUsize = AtomicUsize::new(0);

/// # Errors
/// When the kernel refuses; nothing is held then.
pub(super) fn lock() -> Result<(), Error> {
    HOLDERS.fetch_add(1, Ordering::SeqCst);
    settle().map_err(|error| {
        HOLDERS.fetch_sub(1, Ordering::SeqCst);
        refused(error)
    })
}

pub(super) fn unlock() {
    HOLDERS.fetch_sub(1, Ordering::SeqCst);
    // To let go is always permitted; and if something else has begun to hold meanwhile, it is for
    // him to be told of a refusal.
    let _ = settle();
}

fn settle() -> io::Result<()> {
    loop {
        let held = HOLDERS.load(Ordering::SeqCst) > 0;
        let result = if held {
            // SAFETY: no pointers; what is locked stays as it is.
            unsafe { libc::mlockall(libc::MCL_CURRENT | libc::MCL_FUTURE) }
        } else {
            // SAFETY: no pointers; only lets memory be taken away again.
            unsafe { libc::munlockall() }
        };
        if result != 0 {
            return Err(io::Error::last_os_error());
        }
        if (HOLDERS.load(Ordering::SeqCst) > 0) == held {
            return Ok(());
        }
    }
}

/// <https://man7.org/linux/man-pages/man2/mlock.2.html>
fn refused(error: io::Error) -> Error {
    let refusal = match error.raw_os_error() {
        Some(libc::EPERM | libc::ENOMEM) => Error::not_permitted(format!(
            "the system refuses to lock this process's memory ({error}): it needs CAP_IPC_LOCK, or \
             a limit on locked memory (RLIMIT_MEMLOCK, ulimit -l) of more than the process has; \
             run as root, or raise it with `prlimit --memlock=unlimited`"
        )),
        _ => Error::system(format!(
            "the system cannot lock this process's memory: {error}"
        )),
    };
    refusal.because_of(error)
}
