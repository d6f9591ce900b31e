//! Scheduling borrowed for a while: priority and processor, given back on drop.
//!
//! Each guard belongs to the thread that made it, cannot leave that thread, and undoes only what it
//! did. Drop them in the reverse order of making, as scopes do.
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
    /// it.
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

/// The calling thread keeps to one processor until this is dropped.
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
    /// those that it may.
    pub fn pin(os: &O, processor: usize) -> Result<Self, Error> {
        Ok(Self {
            found: os.pin(processor)?,
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
