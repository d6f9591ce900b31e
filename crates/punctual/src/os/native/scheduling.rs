//! Priorities and processors of this program's threads.

use super::Native;
use super::sys::System;
use crate::Error;
use crate::opaque::opaque;
use crate::os::{Priority, Scheduling};
use std::time::Duration;

/// A thread's priority on [`Native`], as it was found.
pub struct NativePriority(<System as Scheduling>::Priority);

/// The processors a thread could use on [`Native`], as it was found.
pub struct NativeAffinity(<System as Scheduling>::Affinity);

/// A thread's slice on [`Native`], as it was found.
pub struct NativeSlice(<System as Scheduling>::Slice);

impl Scheduling for Native {
    type Priority = NativePriority;
    type Affinity = NativeAffinity;
    type Slice = NativeSlice;

    fn raise_priority(&self, priority: Priority) -> Result<NativePriority, Error> {
        self.0.raise_priority(priority).map(NativePriority)
    }

    fn restore_priority(&self, found: &NativePriority) {
        self.0.restore_priority(&found.0);
    }

    fn pin(&self, processors: &[usize]) -> Result<NativeAffinity, Error> {
        self.0.pin(processors).map(NativeAffinity)
    }

    fn restore_affinity(&self, found: &NativeAffinity) {
        self.0.restore_affinity(&found.0);
    }

    fn slice(&self) -> Result<Duration, Error> {
        self.0.slice()
    }

    fn set_slice(&self, slice: Duration) -> Result<NativeSlice, Error> {
        self.0.set_slice(slice).map(NativeSlice)
    }

    fn restore_slice(&self, found: &NativeSlice) {
        self.0.restore_slice(&found.0);
    }

    fn lock_memory(&self) -> Result<(), Error> {
        self.0.lock_memory()
    }

    fn unlock_memory(&self) {
        self.0.unlock_memory();
    }
}

opaque!(NativePriority, NativeAffinity, NativeSlice);
