//! Locks, whatever happened to whoever had them.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Takes a lock. What it guards is whole after a panic too: it is replaced, or only grows.
pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
