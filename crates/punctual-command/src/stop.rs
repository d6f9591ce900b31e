//! Requests to stop: Ctrl-C and its like. Only this module listens for them.
//!
//! What a signal does depends on what the command does at that moment. A command that has something
//! to show or to undo [guards](Stop::guard) signals meanwhile: the first one is a request, and the
//! command ends by itself. At any other time, and from the second signal on, the process ends at
//! once.

mod policy;
#[cfg(test)]
mod tests;

use crate::failure::Failure;
use crate::os;
use policy::{Reaction, SignalPolicy, State};
use punctual::Cancel;
use punctual_lab::Native;
use punctual_lab::limits::with_limit;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long a computation may continue after a signal if it checks rarely.
const GRACE: Duration = Duration::from_secs(2);

/// A signal that ends programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// What `kill` sends.
    #[default]
    Terminate,
    /// The terminal was closed.
    HangUp,
}

impl Signal {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Interrupt, Self::Terminate, Self::HangUp];

    /// The exit status that shells show for it: 128 and its number.
    pub fn status(self) -> u8 {
        match self {
            Self::HangUp => 129,
            Self::Interrupt => 130,
            Self::Terminate => 143,
        }
    }
}

/// A signal that came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heard {
    /// Which one.
    pub signal: Signal,
    /// Whether a process sent it to this one. If not, it came from the terminal, and every process
    /// that the terminal runs has it, too.
    pub by_process: bool,
}

/// The signals of this process.
#[derive(Clone)]
pub struct Stop(Arc<Shared>);

struct Shared {
    /// For those who ask after every wait.
    is_asked_for: AtomicBool,
    state: Mutex<State>,
}

/// As long as this lives, a signal only asks to stop. It also asks if this has ended by then. One may
/// begin within another, and ends before it.
#[must_use = "signals only ask until this ends"]
pub struct SignalGuard {
    stop: Stop,
    /// What a signal did before. `None` once this has ended, and if it changed nothing.
    before: Option<SignalPolicy>,
}

impl Stop {
    /// From now on signals are heard, but for those that the starter of this process ignores. Called
    /// once in a process.
    pub fn listen() -> Result<Self, Failure> {
        let stop = Self::deaf();
        let hears = stop.clone();
        os::listen(move |heard| hears.hear(heard)).map_err(|error| {
            let error = with_limit(&error);
            Failure::run(format!("cannot listen for signals: {error}"))
        })?;
        Ok(stop)
    }

    /// Hears no signals, as yet.
    pub fn deaf() -> Self {
        Self(Arc::new(Shared {
            is_asked_for: AtomicBool::new(false),
            state: Mutex::default(),
        }))
    }

    /// For a command that checks several times a second whether it is asked to stop.
    pub fn guard(&self) -> SignalGuard {
        self.guard_in(SignalPolicy::Checks)
    }

    /// For a computation, which may check rarely: if it has not ended within two seconds, the
    /// process ends.
    pub fn guard_while_computing(&self) -> SignalGuard {
        self.guard_in(SignalPolicy::Computes)
    }

    fn guard_in(&self, policy: SignalPolicy) -> SignalGuard {
        let before = self.state().guard_in(policy);
        SignalGuard {
            stop: self.clone(),
            before,
        }
    }

    /// Whether a signal has come.
    pub fn is_asked_for(&self) -> bool {
        self.0.is_asked_for.load(Ordering::Relaxed)
    }

    /// Calls this when a signal comes, at once if one has come.
    pub fn then(&self, act: impl Fn() + Send + 'static) {
        self.state().then(Box::new(act));
    }

    /// What is cancelled when a signal comes.
    pub fn cancel_on(&self, machine: &Native) -> Cancel<Native> {
        let cancel = Cancel::on(machine.clone());
        let cancels = cancel.clone();
        self.then(move || cancels.cancel());
        cancel
    }

    /// The exit status of a command that succeeded, if no signal stopped it.
    pub fn status(&self) -> ExitCode {
        self.status_or(ExitCode::SUCCESS)
    }

    /// The exit status of a command that would have this one, had no signal come.
    pub fn status_or(&self, status: ExitCode) -> ExitCode {
        let first = self.state().first();
        first.map_or(status, |signal| ExitCode::from(signal.status()))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A signal has come. All under the lock, so that a signal comes either before a [`SignalGuard`] ends or after it.
    pub fn hear(&self, heard: Heard) {
        let mut state = self.state();
        match state.hear(heard, Instant::now()) {
            Reaction::None => {}
            Reaction::Exit => std::process::exit(heard.signal.status().into()),
            Reaction::Ask => self.0.is_asked_for.store(true, Ordering::Relaxed),
            Reaction::AskAndWatch => {
                self.0.is_asked_for.store(true, Ordering::Relaxed);
                self.exit_later(heard.signal, state.ended_guards);
            }
        }
    }

    /// Ends the process unless its guard has ended by then.
    fn exit_later(&self, signal: Signal, ended_guards: u64) {
        let stop = self.clone();
        let watch = move || {
            thread::sleep(GRACE);
            if stop.state().ended_guards == ended_guards {
                std::process::exit(signal.status().into());
            }
        };
        // Without a thread, the computation ends when it checks, or at the next signal.
        let _ = thread::Builder::new().spawn(watch);
    }
}

impl SignalGuard {
    /// For the time in which another program runs that is to decide for itself: from now on every
    /// signal is passed to this function, and none ends this process. A signal that has come is
    /// passed now.
    pub fn pass_on(&self, pass: impl Fn(Heard) + Send + 'static) {
        self.stop.state().pass_on(Box::new(pass));
    }

    /// Ends it. Returns whether a signal has come. From now on the next one ends the process, unless this
    /// began within another.
    pub fn end(mut self) -> bool {
        self.end_now()
    }

    fn end_now(&mut self) -> bool {
        let before = self.before.take();
        self.stop.state().end_guard(before)
    }
}

impl Drop for SignalGuard {
    fn drop(&mut self) {
        self.end_now();
    }
}
