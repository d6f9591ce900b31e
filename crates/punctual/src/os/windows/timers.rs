//! Waitable timers, lent to a thread for the time of a wait.
//!
//! A timer serves one wait at a time. Making and closing one for each wait would cost two more
//! system calls than the two that a wait needs (set, wait); one for each thread would need
//! thread-local storage, which simulated threads share. So those that nothing waits on are kept
//! here. The first has a place of its own, so that lending to a thread that waits alone costs one
//! exchange of a flag; others cost a lock, held while a timer is taken from or put on a stack and
//! never across a call. The process keeps as many timers as threads of it have ever waited at once,
//! up to [`MOST_IDLE_TIMERS`].

use super::{
    CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, SYNCHRONIZE, TIMER_MODIFY_STATE, Win32, Win32Error,
};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// How many timers are kept while nothing waits on them; more are closed. Our choice: as many as a
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
    /// The first timer, once it has been made.
    first: OnceLock<W::Object>,
    /// Whoever exchanges `false` for `true` has the first timer, or is the only one to make it, until
    /// it is put back.
    first_is_lent: AtomicBool,
    /// Others that are idle.
    idle: Mutex<Vec<W::Object>>,
}

impl<W: Win32> Timers<W> {
    pub(super) fn new(kind: Kind, win32: &W) -> Self {
        Self {
            win32: win32.clone(),
            kind,
            first: OnceLock::new(),
            first_is_lent: AtomicBool::new(false),
            // So that nothing is allocated under the lock.
            idle: Mutex::new(Vec::with_capacity(MOST_IDLE_TIMERS)),
        }
    }

    /// A timer for one wait, given back on drop.
    #[inline]
    pub(super) fn lend(&self) -> Result<Lent<'_, W>, Win32Error> {
        let timer = if self.first_is_lent.swap(true, Ordering::Acquire) {
            Held::Another(Some(self.another()?))
        } else {
            Held::First(self.first()?)
        };
        Ok(Lent {
            timers: self,
            timer,
        })
    }

    #[inline]
    fn first(&self) -> Result<&W::Object, Win32Error> {
        match self.first.get() {
            Some(first) => Ok(first),
            None => self.make_first(),
        }
    }

    #[cold]
    fn make_first(&self) -> Result<&W::Object, Win32Error> {
        match create(&self.win32, self.kind) {
            Ok(made) => Ok(self.first.get_or_init(|| made)),
            Err(error) => {
                self.first_is_lent.store(false, Ordering::Release);
                Err(error)
            }
        }
    }

    #[cold]
    fn another(&self) -> Result<W::Object, Win32Error> {
        let idle = self.idle().pop();
        idle.map_or_else(|| create(&self.win32, self.kind), Ok)
    }

    #[cold]
    fn put_aside(&self, timer: W::Object) {
        let mut idle = self.idle();
        // The first is kept besides.
        if idle.len() + 1 < MOST_IDLE_TIMERS {
            idle.push(timer);
        } else {
            // Closing is a call.
            drop(idle);
            drop(timer);
        }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<W::Object>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn create<W: Win32>(win32: &W, kind: Kind) -> Result<W::Object, Win32Error> {
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
    timer: Held<'a, W::Object>,
}

enum Held<'a, T> {
    First(&'a T),
    /// `None` once it has been put aside.
    Another(Option<T>),
}

impl<W: Win32> Lent<'_, W> {
    #[inline]
    pub(super) fn object(&self) -> &W::Object {
        match &self.timer {
            Held::First(first) => first,
            Held::Another(another) => another.as_ref().expect("it is put aside only on drop"),
        }
    }
}

impl<W: Win32> Drop for Lent<'_, W> {
    #[inline]
    fn drop(&mut self) {
        match &mut self.timer {
            Held::First(_) => self.timers.first_is_lent.store(false, Ordering::Release),
            Held::Another(another) => {
                if let Some(timer) = another.take() {
                    self.timers.put_aside(timer);
                }
            }
        }
    }
}
