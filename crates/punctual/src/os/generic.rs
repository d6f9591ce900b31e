//! Any other system that Rust's standard library knows: its waits, and its clock.
//!
//! How late these waits end is the system's affair, timer slack included, and a [`Sleeper`](crate::Sleeper) learns it
//! like any other. Compiled and tested everywhere.

use super::lane;
use crate::margin::ProcessBudget;
use crate::os::scheduling::{check_fifo, check_processors, no_slice};
use crate::os::sealed::Sealed;
use crate::os::{Os, Priority, Scheduling, Slice, Spin, Thread, Woken, spin};
use crate::{Error, Instant};
use std::convert::Infallible;
use std::env::consts::{ARCH, OS};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant as StdInstant};

/// The system this program runs on, as the standard library shows it.
#[derive(Debug, Clone, Copy)]
pub struct System {
    /// The zero of the clock: the same for the whole process.
    zero: StdInstant,
}

/// Whether the standard library has a clock and can wait. On `wasm32-unknown-unknown` it has none, and panics.
const HAS_CLOCK: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

/// Whether there can be a second thread. Where there cannot, the standard library's condition variables panic.
const HAS_THREADS: bool = !cfg!(all(target_family = "wasm", not(target_feature = "atomics")));

impl System {
    /// The standard library's waits were not chosen for precision.
    pub fn is_precise(&self) -> bool {
        false
    }

    /// Begins the clock, if no other handle has.
    ///
    /// # Errors
    /// [Unsupported](Error::is_unsupported) where the standard library can not wait either.
    pub fn detect() -> Result<Self, Error> {
        static ZERO: OnceLock<StdInstant> = OnceLock::new();
        if !HAS_CLOCK {
            return Err(Error::unsupported(format!(
                "this program was compiled for {ARCH} without an operating system, so there is nothing to wait with"
            )));
        }
        Ok(Self {
            zero: *ZERO.get_or_init(StdInstant::now),
        })
    }
}

/// Whether a thread has rung it, and those who wait.
#[derive(Debug, Clone, Default)]
pub struct Bell(Arc<(Mutex<bool>, Condvar)>);

impl Bell {
    /// Held for as long as it takes to copy a word, and given back while a thread waits.
    fn lock(&self) -> MutexGuard<'_, bool> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, is_rung: bool) {
        *self.lock() = is_rung;
    }

    /// Waits for so long, or for ever, or until it is rung. May return early.
    fn wait(&self, remaining: Option<Duration>) {
        let is_rung = self.lock();
        if *is_rung {
            return;
        }
        let changed = &self.0.1;
        // A poisoned lock is a lock: nothing panics while it is held.
        match remaining {
            Some(remaining) => drop(changed.wait_timeout(is_rung, remaining)),
            None => drop(changed.wait(is_rung)),
        }
    }
}

/// For a thread that is the only one there can be.
const FOR_EVER: &str =
    "this wait would last for ever: on this system there is no second thread that could end it";

impl Sealed for System {}

impl Os for System {
    type Bell = Bell;
    type Precision = ();
    type ThreadId = ThreadId;
    /// The process's number, where there are processes.
    type Origin = u32;

    fn now(&self) -> Instant {
        Instant::ZERO + self.zero.elapsed()
    }

    fn bell(&self) -> Bell {
        Bell::default()
    }

    fn ring(&self, bell: &Bell) {
        bell.set(true);
        bell.0.1.notify_all();
    }

    fn hush(&self, bell: &Bell) {
        bell.set(false);
    }

    fn is_rung(&self, bell: &Bell) -> bool {
        *bell.lock()
    }

    /// # Panics
    /// When nothing can ever end the wait.
    fn wait(&self, until: Option<Instant>, _tolerance: Duration, bell: &Bell) -> Woken {
        let remaining = until.map(|until| until.duration_since(self.now()));
        if HAS_THREADS {
            bell.wait(remaining);
        } else if !self.is_rung(bell) {
            thread::sleep(remaining.expect(FOR_EVER));
        }
        Woken::by(self.is_rung(bell), false)
    }

    fn precision(&self, _: Slice) {}

    fn spin_until(&self, until: Instant, spin: Spin) -> Instant {
        spin::until(until, spin, || self.now())
    }

    fn thread_id(&self) -> ThreadId {
        thread::current().id()
    }

    fn lane(&self) -> usize {
        lane::of_this_thread()
    }

    fn origin(&self) -> u32 {
        process()
    }

    fn is_forked(&self, origin: &u32) -> bool {
        process() != *origin
    }

    fn process_budget(&self) -> Arc<ProcessBudget> {
        super::process_budget()
    }

    fn spawn(&self, name: &str, body: Box<dyn FnOnce() + Send>) -> Result<Thread<Bell>, Error> {
        Thread::start(self, name, body)
    }
}

/// Where there are no processes the standard library has no number to give, and panics.
fn process() -> u32 {
    if cfg!(unix) { std::process::id() } else { 0 }
}

/// Nothing of it can be had through the standard library.
impl Scheduling for System {
    type Priority = Infallible;
    type Affinity = Infallible;
    type Slice = Infallible;

    fn raise_priority(&self, priority: Priority) -> Result<Infallible, Error> {
        if let Priority::Fifo(priority) = priority {
            check_fifo(priority)?;
        }
        Err(not_here("the priority of a thread"))
    }

    fn restore_priority(&self, found: &Infallible) {
        match *found {}
    }

    fn pin(&self, processors: &[usize]) -> Result<Infallible, Error> {
        check_processors(processors)?;
        Err(not_here("the processors of a thread"))
    }

    fn restore_affinity(&self, found: &Infallible) {
        match *found {}
    }

    fn slice(&self) -> Result<Duration, Error> {
        Err(no_slice(
            OS,
            "Punctual uses only the standard library there",
        ))
    }

    fn set_slice(&self, _: Duration) -> Result<Infallible, Error> {
        self.slice().map(|_| unreachable!("it has none"))
    }

    fn restore_slice(&self, found: &Infallible) {
        match *found {}
    }

    fn lock_memory(&self) -> Result<(), Error> {
        Err(not_here("locked memory"))
    }

    fn unlock_memory(&self) {}
}

fn not_here(what: &str) -> Error {
    Error::unsupported(format!(
        "on {OS}, Punctual uses only the standard library, which does not know {what}"
    ))
}

#[cfg(test)]
#[path = "generic/tests.rs"]
mod tests;
