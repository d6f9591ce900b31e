//! Waitable timers, lent to a thread for the time of a wait.
//!
//! A timer serves one wait at a time. Making and closing one for each wait would cost two more
//! system calls than the two that a wait needs (set, wait); one for each thread would need
//! thread-local storage, which simulated threads share. So those that nobody waits on are kept
//! here. Lending costs a lock, held while a handle is taken from or put on a stack and never across
//! a call; the process keeps as many timers as threads of it have ever waited at once, up to
//! [`MOST_IDLE_TIMERS`].

use super::handle::Owned;
use super::{
    CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, Handle, SYNCHRONIZE, TIMER_MODIFY_STATE, Win32,
    Win32Error,
};
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many timers are kept while nobody waits on them; more are closed. Our choice: as many as a
/// large machine has processors, since only running threads begin waits, at half a kilobyte of the
/// kernel's memory each.
pub(super) const MOST_IDLE_TIMERS: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Ends a wait at a tick.
    Plain,
    /// Has the clock interrupt for it.
    HighResolution,
}

pub(super) struct Timers<W: Win32> {
    kind: Kind,
    idle: Mutex<Vec<Owned<W>>>,
}

impl<W: Win32> Timers<W> {
    pub(super) fn new(kind: Kind) -> Self {
        Self {
            kind,
            // So that nothing is allocated under the lock.
            idle: Mutex::new(Vec::with_capacity(MOST_IDLE_TIMERS)),
        }
    }

    /// A timer for one wait, given back on drop.
    pub(super) fn lend(&self, win32: &W) -> Result<Lent<'_, W>, Win32Error> {
        let idle = self.idle().pop();
        let timer = match idle {
            Some(timer) => timer,
            None => Owned::new(win32, create(win32, self.kind)?),
        };
        Ok(Lent {
            timers: self,
            timer: Some(timer),
        })
    }

    fn give_back(&self, timer: Owned<W>) {
        let mut idle = self.idle();
        if idle.len() < MOST_IDLE_TIMERS {
            idle.push(timer);
        } else {
            // Closing is a call.
            mem::drop(idle);
            mem::drop(timer);
        }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Owned<W>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn create<W: Win32>(win32: &W, kind: Kind) -> Result<Handle, Win32Error> {
    match kind {
        Kind::Plain => win32.create_waitable_timer_w(false),
        Kind::HighResolution => win32.create_waitable_timer_ex_w(
            CREATE_WAITABLE_TIMER_HIGH_RESOLUTION,
            SYNCHRONIZE | TIMER_MODIFY_STATE,
        ),
    }
}

pub(super) struct Lent<'a, W: Win32> {
    timers: &'a Timers<W>,
    /// `None` only while it is dropped.
    timer: Option<Owned<W>>,
}

impl<W: Win32> Lent<'_, W> {
    pub(super) fn handle(&self) -> Handle {
        match &self.timer {
            Some(timer) => timer.handle(),
            None => unreachable!("only dropping takes the timer away"),
        }
    }
}

impl<W: Win32> Drop for Lent<'_, W> {
    fn drop(&mut self) {
        if let Some(timer) = self.timer.take() {
            self.timers.give_back(timer);
        }
    }
}
