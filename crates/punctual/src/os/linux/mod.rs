//! Linux: absolute futex waits on `CLOCK_MONOTONIC`.
//!
//! Every wait is a futex wait, because it is the one primitive that another thread can end with a
//! single call and that holds no file descriptor. Which of the two futex calls is used is decided
//! once, in [`futex::Primitive::detect`], and the reason is written there.

#![allow(unsafe_code, reason = "system calls")]

mod clock;
mod futex;
mod memory;
mod origin;
mod scheduling;
mod slack;
mod slice;

pub use futex::Bell;
pub use origin::Origin;

use super::lane;
use crate::margin::ProcessBudget;
use crate::os::sealed::Sealed;
use crate::os::{Os, Slice, Spin, Thread, Woken, spin};
use crate::{Error, Instant};
use futex::Primitive;
use slice::Hold;
use std::sync::Arc;
use std::thread::{self, ThreadId};
use std::time::Duration;

/// The Linux this program runs on.
#[derive(Debug, Clone, Copy)]
pub struct System {
    primitive: Primitive,
}

impl System {
    /// Whether it has a wait of its own, rather than the standard library's.
    pub fn is_precise(&self) -> bool {
        self.primitive != Primitive::Nap
    }

    /// Asks the kernel, with two calls that do not wait, which waits it offers.
    ///
    /// # Errors
    /// None.
    pub fn detect() -> Result<Self, Error> {
        Ok(Self {
            primitive: Primitive::detect(),
        })
    }
}

impl Sealed for System {}

impl Os for System {
    type Bell = Bell;
    /// A timer has an interrupt of its own; what is left is to get the processor then. `None` without
    /// slices.
    type Precision = Option<Hold>;
    type ThreadId = ThreadId;
    type Origin = Origin;

    fn now(&self) -> Instant {
        clock::now()
    }

    fn bell(&self) -> Bell {
        Bell::default()
    }

    fn ring(&self, bell: &Bell) {
        bell.ring();
    }

    fn hush(&self, bell: &Bell) {
        bell.hush();
    }

    fn is_rung(&self, bell: &Bell) -> bool {
        bell.is_rung()
    }

    fn wait(&self, until: Option<Instant>, tolerance: Duration, bell: &Bell) -> Woken {
        Woken::by(bell.is_rung(), self.primitive.wait(bell, until, tolerance))
    }

    fn wait_or_signal(&self, until: Instant, tolerance: Duration, bell: &Bell) -> Woken {
        let is_signal = self.primitive.wait_or_signal(bell, Some(until), tolerance);
        Woken::by(bell.is_rung(), is_signal)
    }

    /// A slice costs nothing to hold, however long the wait.
    fn precision_within(&self) -> Duration {
        Duration::MAX
    }

    fn precision(&self, slice: Slice) -> Option<Hold> {
        match slice {
            Slice::Short => Hold::take(),
            Slice::Unchanged => None,
        }
    }

    #[inline]
    fn is_precise_here(&self, precision: &Option<Hold>) -> bool {
        precision.as_ref().is_none_or(Hold::is_here)
    }

    fn ticks(&self) -> Option<Duration> {
        clock::ticks()
    }

    fn spin_until(&self, until: Instant, spin: Spin) -> Instant {
        spin::until(until, spin, clock::now)
    }

    fn thread_id(&self) -> ThreadId {
        thread::current().id()
    }

    fn lane(&self) -> usize {
        lane::of_this_thread()
    }

    fn origin(&self) -> Origin {
        Origin::new()
    }

    #[inline]
    fn is_forked(&self, origin: &Origin) -> bool {
        origin.is_forked()
    }

    #[inline]
    fn current_processor(&self) -> Option<usize> {
        // SAFETY: reads a number of the calling thread; no pointers.
        usize::try_from(unsafe { libc::sched_getcpu() }).ok()
    }

    fn process_budget(&self) -> Arc<ProcessBudget> {
        super::process_budget()
    }

    fn spawn(&self, name: &str, body: Box<dyn FnOnce() + Send>) -> Result<Thread<Bell>, Error> {
        // The new thread inherits the slice, and not the hold.
        let is_short = slice::is_taken_here();
        let run = move || {
            if is_short {
                slice::shed();
            }
            body();
        };
        Thread::start(self, name, Box::new(run))
    }
}

#[cfg(test)]
mod tests;
