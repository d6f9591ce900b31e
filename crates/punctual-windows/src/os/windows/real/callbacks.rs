//! Callbacks of timers, by number.
//!
//! Windows may still call back for a multimedia timer that was killed. So Windows is given a number that is
//! never used again, and the callback is looked up in one table of the process: what has ended is not found
//! in it, and nothing can be used after its end. Windows knows only one process, so the table is the
//! process's, too.

use super::super::TimerCallback;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use windows_sys::Win32::System::Threading::{PTP_CALLBACK_INSTANCE, PTP_TIMER};

struct Timer {
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

/// A callback in the table, until this is dropped. One that fires once leaves it when it has.
#[derive(Debug)]
pub(super) struct Registered {
    number: usize,
}

impl Registered {
    pub(super) fn new(callback: TimerCallback, once: bool) -> Self {
        let mut timers = timers();
        timers.made += 1;
        let number = timers.made;
        let callback = Arc::new(Mutex::new(callback));
        timers.by_number.insert(number, Timer { once, callback });
        Self { number }
    }

    /// What Windows is to call back with.
    pub(super) fn number(&self) -> usize {
        self.number
    }

    /// Takes it out of the table: nothing is called from now on. `false` if it had fired once.
    pub(super) fn forget(&self) -> bool {
        forget(self.number)
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        self.forget();
    }
}

fn forget(number: usize) -> bool {
    // Dropped after the lock is released: its destructor is the program's.
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
pub(super) unsafe extern "system" fn queue(number: *mut c_void, _fired: bool) {
    call(number.addr());
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
pub(super) unsafe extern "system" fn pool(
    _instance: PTP_CALLBACK_INSTANCE,
    number: *mut c_void,
    _timer: PTP_TIMER,
) {
    call(number.addr());
}
