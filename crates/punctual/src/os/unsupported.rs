//! The arm for systems that have no folder yet: it compiles, and says so when it is run.

use super::refusal::refusal;
use crate::os::sealed::Sealed;
use crate::os::{Os, Priority, Scheduling, Slice, Spin, Thread, Woken};
use crate::{Error, Instant};
use std::env::consts::{ARCH, OS};
use std::time::Duration;

/// The system this program runs on: not supported yet, so no value of this type exists.
#[derive(Debug, Clone, Copy)]
pub enum System {}

impl System {
    /// Says that this system is not supported yet.
    ///
    /// # Errors
    /// Always.
    pub fn detect() -> Result<Self, Error> {
        Err(refusal(OS, ARCH, usize::BITS))
    }
}

impl Sealed for System {}

impl Os for System {
    type Bell = ();
    type Precision = ();
    type ThreadId = ();
    type Origin = ();

    fn now(&self) -> Instant {
        match *self {}
    }

    fn bell(&self) -> Self::Bell {
        match *self {}
    }

    fn ring(&self, _: &Self::Bell) {
        match *self {}
    }

    fn hush(&self, _: &Self::Bell) {
        match *self {}
    }

    fn is_rung(&self, _: &Self::Bell) -> bool {
        match *self {}
    }

    fn wait(&self, _: Option<Instant>, _: Duration, _: &Self::Bell) -> Woken {
        match *self {}
    }

    fn precision(&self, _: Slice) {
        match *self {}
    }

    fn spin_until(&self, _: Instant, _: Spin) -> Instant {
        match *self {}
    }

    fn thread_id(&self) {
        match *self {}
    }

    fn lane(&self) -> usize {
        match *self {}
    }

    fn origin(&self) {
        match *self {}
    }

    fn is_forked(&self, (): &()) -> bool {
        match *self {}
    }

    fn spawn(&self, _: &str, _: Box<dyn FnOnce() + Send>) -> Result<Thread<Self::Bell>, Error> {
        match *self {}
    }
}

impl Scheduling for System {
    type Priority = ();
    type Affinity = ();
    type Slice = ();

    fn raise_priority(&self, _: Priority) -> Result<Self::Priority, Error> {
        match *self {}
    }

    fn restore_priority(&self, _: &Self::Priority) {
        match *self {}
    }

    fn pin(&self, _: &[usize]) -> Result<Self::Affinity, Error> {
        match *self {}
    }

    fn restore_affinity(&self, _: &Self::Affinity) {
        match *self {}
    }

    fn slice(&self) -> Result<Duration, Error> {
        match *self {}
    }

    fn set_slice(&self, _: Duration) -> Result<Self::Slice, Error> {
        match *self {}
    }

    fn restore_slice(&self, _: &Self::Slice) {
        match *self {}
    }

    fn lock_memory(&self) -> Result<(), Error> {
        match *self {}
    }

    fn unlock_memory(&self) {
        match *self {}
    }
}
