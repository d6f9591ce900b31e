//! A started thread, whatever system started it: joined through a bell, so that joining is a wait
//! like any other and runs in virtual time too.

use super::Os;
use super::wait::until_rung;
use crate::Error;
use std::any::Any;
use std::fmt;
use std::io::ErrorKind;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// A thread started by [`Os::spawn`]. If it is dropped, the thread goes on.
#[must_use = "a thread that nothing joins may outlive what it works on"]
pub struct Thread<Bell> {
    done: Bell,
    outcome: Outcome,
}

type Outcome = Arc<Mutex<Option<Box<dyn Any + Send>>>>;

impl<Bell: Clone + Send + 'static> Thread<Bell> {
    /// Pairs a thread's handle with the body that the system is to run. When the body ends, by
    /// returning or by panicking, the bell is rung.
    pub(crate) fn new<O: Os<Bell = Bell>>(
        os: &O,
        body: Box<dyn FnOnce() + Send>,
    ) -> (Self, impl FnOnce() + Send + 'static) {
        let (os, done, outcome) = (os.clone(), os.bell(), Outcome::default());
        let handle = Self {
            done: done.clone(),
            outcome: Arc::clone(&outcome),
        };
        let run = move || {
            // The body is consumed, so nothing can look at what its panic left half-done.
            if let Err(payload) = panic::catch_unwind(AssertUnwindSafe(body)) {
                *outcome.lock().unwrap_or_else(PoisonError::into_inner) = Some(payload);
            }
            os.ring(&done);
        };
        (handle, run)
    }

    /// Starts a thread of the standard library's.
    ///
    /// # Errors
    /// When the system has no thread to give.
    #[cfg_attr(windows, allow(dead_code, reason = "Windows has a call of its own"))]
    pub(crate) fn start<O: Os<Bell = Bell>>(
        os: &O,
        name: &str,
        body: Box<dyn FnOnce() + Send>,
    ) -> Result<Self, Error> {
        let (handle, run) = Self::new(os, body);
        let started = thread::Builder::new().name(name.to_owned()).spawn(run);
        match started {
            Ok(_) => Ok(handle),
            Err(error) => {
                let limit = match error.kind() {
                    ErrorKind::WouldBlock => THREADS_ARE_LIMITED,
                    _ => "",
                };
                let message = format!("cannot start the thread {name:?}: {error}{limit}");
                Err(Error::system(message).because_of(error))
            }
        }
    }

    /// The same thread, for a machine that knows this bell by another name.
    pub(super) fn with_bell<Other>(self, rename: impl FnOnce(Bell) -> Other) -> Thread<Other> {
        Thread {
            done: rename(self.done),
            outcome: self.outcome,
        }
    }

    /// Waits for the thread to end.
    ///
    /// # Errors
    /// [`Panicked`] if it panicked, with the panic's payload.
    pub fn join<O: Os<Bell = Bell>>(self, os: &O) -> Result<(), Panicked> {
        until_rung(os, &self.done);
        let mut outcome = self.outcome.lock().unwrap_or_else(PoisonError::into_inner);
        match outcome.take() {
            None => Ok(()),
            Some(payload) => Err(Panicked(payload)),
        }
    }
}

/// What kernels mean by "try again" when a thread is to start.
const THREADS_ARE_LIMITED: &str = ": there are as many processes and threads as there may be; raise the \
    limit with 'ulimit -u', or on Linux the pids.max of the cgroup";

/// The error of a joined thread that had panicked.
pub struct Panicked(Box<dyn Any + Send>);

impl Panicked {
    /// The panic's payload, for [`std::panic::resume_unwind`].
    pub fn into_payload(self) -> Box<dyn Any + Send> {
        self.0
    }
}

impl fmt::Debug for Panicked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Panicked")
    }
}

impl fmt::Display for Panicked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.downcast_ref::<&str>().copied();
        let text = text.or_else(|| self.0.downcast_ref::<String>().map(String::as_str));
        write!(f, "the thread panicked: {}", text.unwrap_or("no message"))
    }
}

impl std::error::Error for Panicked {}
