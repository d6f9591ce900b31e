//! Guards for priority, slice, processors and memory, which restore them when they are dropped.
//!
//! [`PriorityGuard`], [`SliceGuard`] and [`PinGuard`] belong to the thread that made them, cannot leave
//! that thread, and undo only what they did. Drop them in the reverse order of making, as scopes do.
//! [`MemoryGuard`] belongs to the process.
//!
//! Guards make waits less late. The system may refuse them: a program should then report the error
//! and go on without. On Windows there is also [`Native::multimedia_task`], which needs no privilege.
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
//! The guards of a control loop on Linux, as far as they are permitted:
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
use crate::opaque::opaque;
use crate::os::{Native, Priority, Scheduling};
use std::marker::PhantomData;
use std::time::Duration;

/// Raises the priority of the calling thread until it is dropped.
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
    /// [Not permitted](Error::is_not_permitted), with the missing privilege and how to grant it. For
    /// [`Priority::Fifo`]: [unsupported](Error::is_unsupported) except on Linux, and [invalid
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

/// Sets the calling thread's slice until it is dropped: how long it may compute before the system looks
/// whose turn it is.
///
/// On a busy machine, a thread with a shorter slice gets its turn sooner when it wakes. A thread with a
/// longer one is interrupted less often. [`Slice`](crate::os::Slice) says more. A
/// [`Sleeper`](crate::Sleeper) sets a short slice by itself, and leaves one alone that a guard has set.
///
/// Threads and programs that the thread starts inherit the slice, and keep it.
///
/// ```
/// use punctual::Native;
/// use punctual::guard::SliceGuard;
/// use punctual::os::Slice;
///
/// match SliceGuard::set(&Native::new(), Slice::SHORTEST) {
///     Ok(_guard) => { /* this thread gets its turn sooner until the end of the block */ }
///     Err(error) => eprintln!("going on without: {error}"),
/// }
/// ```
#[must_use = "the slice is the former one again when the guard is dropped"]
pub struct SliceGuard<O: Scheduling = Native> {
    os: O,
    found: O::Slice,
    not_send: PhantomData<*const ()>,
}

impl<O: Scheduling> SliceGuard<O> {
    /// Sets the calling thread's slice, from [`SHORTEST`](crate::os::Slice::SHORTEST) to
    /// [`LONGEST`](crate::os::Slice::LONGEST).
    ///
    /// # Errors
    /// [Unsupported](Error::is_unsupported) except on Linux, before Linux 6.12, and for a thread of a
    /// real-time, deadline or idle class. [Invalid input](Error::is_invalid_input) for a shorter or a
    /// longer slice. [Not permitted](Error::is_not_permitted) in a sandbox that refuses the call.
    pub fn set(os: &O, slice: Duration) -> Result<Self, Error> {
        Ok(Self {
            found: os.set_slice(slice)?,
            os: os.clone(),
            not_send: PhantomData,
        })
    }
}

impl<O: Scheduling> Drop for SliceGuard<O> {
    fn drop(&mut self) {
        self.os.restore_slice(&self.found);
    }
}

/// Keeps the calling thread on one processor, or on a few, until it is dropped.
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
    /// [Invalid input](Error::is_invalid_input) if this thread may not use that processor; the message
    /// lists those that it may use. [Unsupported](Error::is_unsupported) on macOS, where no program
    /// can choose.
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
    /// Those of [`pin`](Self::pin), and [invalid input](Error::is_invalid_input) for an empty set.
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

/// Keeps all memory of this process in RAM until it is dropped: its present memory, and what it maps
/// later. If the system had moved a page to disk, its next use would be as slow as the disk.
///
/// Locking loads every mapped page, including the threads' stacks, and later each new page as soon as
/// it is mapped. This takes time, but not later in the loop. If there is a limit on locked memory and
/// no privilege, an allocation beyond the limit fails, and most programs then abort.
///
/// Any number of these guards may exist, in any threads. Dropping the last one unlocks the memory.
/// The system keeps no count itself, so this also unlocks what other code of this process has locked
/// (`mlock`, `mlockall`). Unlocked pages stay in RAM until the system needs it. A child process begins
/// with nothing locked.
#[must_use = "memory may be taken away again when the guard is dropped"]
pub struct MemoryGuard<O: Scheduling = Native> {
    os: O,
}

impl<O: Scheduling> MemoryGuard<O> {
    /// Keeps all memory of this process in RAM.
    ///
    /// # Errors
    /// [Not permitted](Error::is_not_permitted), with the privilege and the limit (`CAP_IPC_LOCK`,
    /// `RLIMIT_MEMLOCK`). [Unsupported](Error::is_unsupported) except on Linux: macOS and Windows can
    /// lock only single ranges of memory. [System](Error::is_system) if there is not enough RAM.
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

opaque!(
    PriorityGuard<O: Scheduling>, SliceGuard<O: Scheduling>, PinGuard<O: Scheduling>, MemoryGuard<O: Scheduling>
);
