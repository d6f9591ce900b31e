//! macOS: waits on a kernel queue of one's own, until an absolute `mach_absolute_time`.
//!
//! Written from public documentation and checked by compilers only: it has not been run.

#![allow(unsafe_code, reason = "system calls")]

mod clock;
mod ffi;
mod kqueue;
mod scheduling;

use super::lane;
use super::waiters::Waiters;
use crate::margin::ProcessBudget;
use crate::os::sealed::Sealed;
use crate::os::{Os, Slice, Spin, Thread, Woken};
use crate::{Error, Instant};
use clock::Clock;
use kqueue::{Alarm, Kqueue};
use std::convert::Infallible;
use std::process;
use std::sync::Arc;
use std::thread::{self, ThreadId};
use std::time::Duration;

/// The macOS this program runs on.
#[derive(Debug, Clone, Copy)]
pub struct System {
    clock: Clock,
}

/// A bell, with the kernel queues of those who wait for it.
#[derive(Debug, Clone)]
pub struct Bell(Arc<Waiters<Kqueue>>);

impl System {
    /// Its waits end at any instant.
    pub fn is_precise(&self) -> bool {
        true
    }

    /// Asks the system for its clock's unit.
    ///
    /// # Errors
    /// [System](Error::is_system) if it does not tell.
    pub fn detect() -> Result<Self, Error> {
        Clock::detect().map(|clock| Self { clock })
    }

    /// The first count of `mach_absolute_time` at which the clock reads `instant` or later: for
    /// calls that take one.
    pub fn mach_absolute_time_at(&self, instant: Instant) -> u64 {
        self.clock.first_count_at(instant)
    }

    /// For when there is no queue to wait on: short sleeps, with a look at the bell between them.
    fn nap(&self, until: Option<Instant>) {
        const LONGEST: Duration = Duration::from_millis(1);
        let remaining = until.map_or(LONGEST, |until| until.duration_since(self.now()));
        thread::sleep(remaining.min(LONGEST));
    }
}

impl Sealed for System {}

impl Os for System {
    type Bell = Bell;
    type Precision = ();
    type ThreadId = ThreadId;
    /// The process's number, which the system's library keeps: to ask for it is a load.
    type Origin = u32;

    /// `mach_absolute_time`: it stands still while the machine is asleep.
    fn now(&self) -> Instant {
        self.clock.now()
    }

    fn bell(&self) -> Bell {
        Bell(Arc::new(Waiters::new()))
    }

    fn ring(&self, bell: &Bell) {
        bell.0.ring();
    }

    fn hush(&self, bell: &Bell) {
        bell.0.hush();
    }

    fn is_rung(&self, bell: &Bell) -> bool {
        bell.0.is_rung()
    }

    fn wait(&self, until: Option<Instant>, tolerance: Duration, bell: &Bell) -> Woken {
        let alarm = until.map(|until| Alarm {
            at: self.clock.first_count_at(until),
            leeway: self.clock.counts_within(tolerance),
        });
        let mut is_signal = false;
        let waited = bell.0.wait(Kqueue::open, |queue| {
            is_signal = queue.wait(alarm)?;
            Ok(())
        });
        if waited.is_err() && !bell.0.is_rung() {
            self.nap(until);
        }
        Woken::by(bell.0.is_rung(), is_signal)
    }

    fn precision(&self, _: Slice) {}

    fn spin_until(&self, until: Instant, spin: Spin) -> Instant {
        self.clock.spin_until(until, spin)
    }

    fn thread_id(&self) -> ThreadId {
        thread::current().id()
    }

    fn lane(&self) -> usize {
        lane::of_this_thread()
    }

    fn origin(&self) -> u32 {
        process::id()
    }

    fn is_forked(&self, origin: &u32) -> bool {
        process::id() != *origin
    }

    fn process_budget(&self) -> Arc<ProcessBudget> {
        super::process_budget()
    }

    fn spawn(&self, name: &str, body: Box<dyn FnOnce() + Send>) -> Result<Thread<Bell>, Error> {
        Thread::start(self, name, body)
    }
}

/// The processors a thread could use before it was pinned: on macOS no thread can be.
pub type FoundAffinity = Infallible;

#[cfg(test)]
mod tests;
