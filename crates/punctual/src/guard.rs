//! Scheduling borrowed for a while: priority, processors and memory, given back on drop.
//!
//! [`PriorityGuard`] and [`PinGuard`] belong to the thread that made them, cannot leave that thread,
//! and undo only what they did. Drop them in the reverse order of making, as scopes do.
//! [`MemoryGuard`] belongs to the process.
//!
//! None is needed for a wait not to be early, and each may be refused: go on without, and say so.
//! On Windows there is also [`Native::multimedia_task`], which needs no privilege.
//!
//! ```
//! use punctual::guard::{PinGuard, PriorityGuard};
//! use punctual::{Native, Priority};
//!
//! let os = Native::new();
//! match PriorityGuard::raise(&os, Priority::High) {
//!     Ok(_guard) => { /* this thread is ahead of ordinary ones until the end of the block */ }
//!     Err(error) => eprintln!("going on without: {error}"),
//! }
//! # let _ = PinGuard::pin(&os, 0);
//! ```
//!
//! What a control loop wants of Linux, as far as it may have it:
//!
//! ```
//! use punctual::guard::{MemoryGuard, PinGuard, PriorityGuard};
//! use punctual::{Native, Priority};
//!
//! let os = Native::new();
//! let _memory = MemoryGuard::lock(&os).map_err(|error| eprintln!("{error}"));
//! let _priority = PriorityGuard::raise(&os, Priority::Fifo(20)).map_err(|error| eprintln!("{error}"));
//! let _processors = PinGuard::pin_to(&os, [2, 3]).map_err(|error| eprintln!("{error}"));
//! ```

use crate::Error;
use crate::os::{Native, Priority, Scheduling};
use std::fmt;
use std::marker::PhantomData;

/// The calling thread has a raised priority until this is dropped.
#[must_use = "the priority falls back when the guard is dropped"]
pub struct PriorityGuard<O: Scheduling = Native> {
    os: O,
    found: O::Priority,
    not_send: PhantomData<*const ()>,
}

impl<O: Scheduling> PriorityGuard<O> {
    /// Raises the calling thread's priority.
    ///
    /// # Errors
    /// [Not permitted](Error::is_not_permitted), with the privilege that is missing and how to give
    /// it; for [`Priority::Fifo`], [unsupported](Error::is_unsupported) but on Linux, and [invalid
    /// input](Error::is_invalid_input) for a number that is not 1 to 99.
    pub fn raise(os: &O, priority: Priority) -> Result<Self, Error> {
        Ok(Self {
            found: os.raise_priority(priority)?,
            os: os.clone(),
            not_send: PhantomData,
        })
    }
}

impl<O: Scheduling> Drop for PriorityGuard<O> {
    fn drop(&mut self) {
        self.os.restore_priority(&self.found);
    }
}

impl<O: Scheduling> fmt::Debug for PriorityGuard<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PriorityGuard").finish_non_exhaustive()
    }
}

/// The calling thread keeps to one processor, or to a few, until this is dropped.
#[must_use = "the thread may move again when the guard is dropped"]
pub struct PinGuard<O: Scheduling = Native> {
    os: O,
    found: O::Affinity,
    not_send: PhantomData<*const ()>,
}

impl<O: Scheduling> PinGuard<O> {
    /// Keeps the calling thread on one processor, numbered from zero as the system numbers them.
    ///
    /// # Errors
    /// [Invalid input](Error::is_invalid_input) if this thread may not use that processor, with
    /// those that it may; [unsupported](Error::is_unsupported) on macOS, which lets no program choose.
    pub fn pin(os: &O, processor: usize) -> Result<Self, Error> {
        Self::pin_to(os, [processor])
    }

    /// Keeps the calling thread on these processors, on any of them. The order does not matter.
    ///
    /// ```
    /// use punctual::guard::PinGuard;
    /// use punctual::os::VirtualOs;
    ///
    /// let one = VirtualOs::new();
    /// let guard = PinGuard::pin_to(&one, 0..1)?;
    /// assert!(PinGuard::pin_to(&one, 0..2).unwrap_err().is_invalid_input());
    /// # Ok::<(), punctual::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`pin`](Self::pin), if it may not use one of them; and of [invalid
    /// input](Error::is_invalid_input) for no processor at all.
    pub fn pin_to(os: &O, processors: impl IntoIterator<Item = usize>) -> Result<Self, Error> {
        let processors: Vec<_> = processors.into_iter().collect();
        Ok(Self {
            found: os.pin(&processors)?,
            os: os.clone(),
            not_send: PhantomData,
        })
    }
}

impl<O: Scheduling> Drop for PinGuard<O> {
    fn drop(&mut self) {
        self.os.restore_affinity(&self.found);
    }
}

impl<O: Scheduling> fmt::Debug for PinGuard<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PinGuard").finish_non_exhaustive()
    }
}

/// All memory of this process stays in RAM until this is dropped: what it has, and what it will
/// have. A page that the system had taken away would make its next use as late as a disk is.
///
/// Locking brings in every page that is mapped, stacks of threads included, and from then on each
/// one as it is mapped: that takes time then and not later. Where there is a limit on locked memory
/// and no privilege, memory beyond it can no longer be had, and most programs end when they can have
/// none.
///
/// Any number of these may exist, in any threads; memory is unlocked with the last. The system keeps
/// no count itself: what is unlocked then is all of it, also what other code of this process has
/// locked (`mlock`, `mlockall`). What is in RAM stays there until the system needs it. A child
/// process begins with nothing locked.
#[must_use = "memory may be taken away again when the guard is dropped"]
pub struct MemoryGuard<O: Scheduling = Native> {
    os: O,
}

impl<O: Scheduling> MemoryGuard<O> {
    /// Keeps all memory of this process in RAM.
    ///
    /// # Errors
    /// [Not permitted](Error::is_not_permitted), naming the privilege and the limit (`CAP_IPC_LOCK`,
    /// `RLIMIT_MEMLOCK`); [unsupported](Error::is_unsupported) but on Linux: macOS and Windows lock
    /// single stretches of memory only; [system](Error::is_system) if there is not so much RAM.
    pub fn lock(os: &O) -> Result<Self, Error> {
        os.lock_memory()?;
        Ok(Self { os: os.clone() })
    }
}

impl<O: Scheduling> Drop for MemoryGuard<O> {
    fn drop(&mut self) {
        self.os.unlock_memory();
    }
}

impl<O: Scheduling> fmt::Debug for MemoryGuard<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryGuard").finish_non_exhaustive()
    }
}
