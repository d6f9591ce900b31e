//! Timers that call back, by number.
//!
//! Windows names such timers by addresses that must not be made up or used once the timer has
//! ended, and may still call one that was killed. So programs are given numbers that are never used
//! again, Windows is given the number to call back with, and both are looked up in one table of the
//! process: what has ended is not found in it, and nothing can be used after its end. Windows knows
//! only one process, so the table is the process's, too.

use super::ffi::HANDLE;
use crate::os::native::windows::TimerCallback;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What Windows calls such a timer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Name {
    /// Being made.
    NotYet,
    Queue(usize),
    Multimedia(u32),
    Pool(usize),
}

impl Name {
    pub(super) fn queue(timer: HANDLE) -> Self {
        Self::Queue(timer.expose_provenance())
    }

    pub(super) fn pool(timer: HANDLE) -> Self {
        Self::Pool(timer.expose_provenance())
    }
}

struct Timer {
    name: Name,
    once: bool,
    /// Locked while it runs: a pool may come to call a timer again before it has returned.
    callback: Arc<Mutex<TimerCallback>>,
}

#[derive(Default)]
struct Timers {
    made: usize,
    by_number: BTreeMap<usize, Timer>,
}

static TIMERS: Mutex<Timers> = Mutex::new(Timers {
    made: 0,
    by_number: BTreeMap::new(),
});

/// Never locked while a callback runs or is dropped.
fn timers() -> MutexGuard<'static, Timers> {
    TIMERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes a timer with the function of Windows that is given its number, and remembers it. One that
/// fires `once` is forgotten when it has.
pub(super) fn make<E>(
    callback: TimerCallback,
    once: bool,
    start: impl FnOnce(usize) -> Result<Name, E>,
) -> Result<usize, E> {
    let number = {
        let mut timers = timers();
        timers.made += 1;
        let number = timers.made;
        let timer = Timer {
            name: Name::NotYet,
            once,
            callback: Arc::new(Mutex::new(callback)),
        };
        timers.by_number.insert(number, timer);
        number
    };
    match start(number) {
        Ok(name) => {
            // It may have fired and been forgotten by now.
            if let Some(timer) = timers().by_number.get_mut(&number) {
                timer.name = name;
            }
            Ok(number)
        }
        Err(error) => {
            forget(number);
            Err(error)
        }
    }
}

/// What Windows calls the timer of this number; `None` if there is none, or none any more.
pub(super) fn name(number: usize) -> Option<Name> {
    timers().by_number.get(&number).map(|timer| timer.name)
}

/// Takes a timer of this kind out of the table: from now on it calls nothing.
pub(super) fn take<T>(number: usize, of_kind: impl FnOnce(Name) -> Option<T>) -> Option<T> {
    let found = of_kind(name(number)?)?;
    // Two who end the same timer at once: one of them finds it.
    forget(number).then_some(found)
}

fn forget(number: usize) -> bool {
    let forgotten = timers().by_number.remove(&number);
    forgotten.is_some()
}

fn call(number: usize) {
    let found = {
        let timers = timers();
        let timer = timers.by_number.get(&number);
        timer.map(|timer| (Arc::clone(&timer.callback), timer.once))
    };
    let Some((callback, once)) = found else {
        return;
    };
    {
        let mut callback = callback.lock().unwrap_or_else(PoisonError::into_inner);
        (*callback)();
    }
    if once {
        forget(number);
    }
}

/// What Windows calls for a timer of a queue. A callback that panics ends the process, as a panic
/// does that would leave Rust.
pub(super) unsafe extern "system" fn queue(number: usize, _fired: u8) {
    call(number);
}

/// What it calls for a multimedia timer.
pub(super) unsafe extern "system" fn multimedia(
    _timer: u32,
    _message: u32,
    number: usize,
    _dw1: usize,
    _dw2: usize,
) {
    call(number);
}

/// What it calls for a timer of the thread pool.
pub(super) unsafe extern "system" fn pool(_instance: *mut c_void, number: usize, _timer: HANDLE) {
    call(number);
}
