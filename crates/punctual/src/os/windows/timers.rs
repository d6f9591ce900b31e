//! Waitable timers, lent to a thread for the time of a wait.
//!
//! A timer serves one wait at a time. Making and closing one for each wait would cost two more
//! system calls than the two that a wait needs (set, wait); one for each thread would need
//! thread-local storage, which simulated threads share. So those that nobody waits on are kept
//! here. The first has a place of its own, so that lending to a thread that waits alone costs one
//! exchange of a word; others cost a lock, held while a handle is taken from or put on a stack and
//! never across a call. The process keeps as many timers as threads of it have ever waited at once,
//! up to [`MOST_IDLE_TIMERS`].

use super::{
    CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, Handle, SYNCHRONIZE, TIMER_MODIFY_STATE, Win32,
    Win32Error,
};
use std::sync::atomic::{AtomicIsize, Ordering};
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
    win32: W,
    kind: Kind,
    /// The handle of the first timer while it is idle, [`LENT`], or [`UNMADE`]. Whoever exchanges
    /// anything else for [`LENT`] has that timer, and nobody else writes here until it is put back.
    first: AtomicIsize,
    /// Others that are idle.
    idle: Mutex<Vec<Handle>>,
}

/// No handle: Windows gives none of this value.
const UNMADE: isize = 0;
/// No timer's handle: it means the calling process.
const LENT: isize = -1;

impl<W: Win32> Timers<W> {
    pub(super) fn new(kind: Kind, win32: &W) -> Self {
        Self {
            win32: win32.clone(),
            kind,
            first: AtomicIsize::new(UNMADE),
            // So that nothing is allocated under the lock.
            idle: Mutex::new(Vec::with_capacity(MOST_IDLE_TIMERS)),
        }
    }

    /// A timer for one wait, given back on drop.
    #[inline]
    pub(super) fn lend(&self) -> Result<Lent<'_, W>, Win32Error> {
        let (handle, is_first) = match self.first.swap(LENT, Ordering::Acquire) {
            LENT => (self.another()?, false),
            UNMADE => (self.make_first()?, true),
            first => (Handle(first), true),
        };
        Ok(Lent {
            timers: self,
            handle,
            is_first,
        })
    }

    #[cold]
    fn make_first(&self) -> Result<Handle, Win32Error> {
        let made = create(&self.win32, self.kind);
        if made.is_err() {
            self.first.store(UNMADE, Ordering::Release);
        }
        made
    }

    #[cold]
    fn another(&self) -> Result<Handle, Win32Error> {
        let idle = self.idle().pop();
        idle.map_or_else(|| create(&self.win32, self.kind), Ok)
    }

    #[cold]
    fn put_aside(&self, timer: Handle) {
        let mut idle = self.idle();
        // The first is kept besides.
        if idle.len() + 1 < MOST_IDLE_TIMERS {
            idle.push(timer);
        } else {
            // Closing is a call.
            drop(idle);
            self.close(timer);
        }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Handle>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn close(&self, timer: Handle) {
        // Fails only for a handle that is not one, and then there is nothing to close.
        let _ = self.win32.close_handle(timer);
    }
}

impl<W: Win32> Drop for Timers<W> {
    fn drop(&mut self) {
        let idle = std::mem::take(&mut *self.idle());
        let first = *self.first.get_mut();
        let first = (first != UNMADE && first != LENT).then_some(Handle(first));
        for timer in idle.into_iter().chain(first) {
            self.close(timer);
        }
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
    handle: Handle,
    is_first: bool,
}

impl<W: Win32> Lent<'_, W> {
    pub(super) fn handle(&self) -> Handle {
        self.handle
    }
}

impl<W: Win32> Drop for Lent<'_, W> {
    #[inline]
    fn drop(&mut self) {
        if self.is_first {
            self.timers.first.store(self.handle.0, Ordering::Release);
        } else {
            self.timers.put_aside(self.handle);
        }
    }
}
