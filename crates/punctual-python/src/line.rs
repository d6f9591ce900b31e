//! The line of threads whose waits have ended and who want the interpreter's lock.
//!
//! A thread that computes is asked for the lock a switch interval after another began to want it. A *main* thread can be asked at
//! once: Python has it call a function between two bytecodes, where it might be asked anyway. The function leaves the lock until
//! one of the line has it. Other threads that compute are out of its reach.

use crate::clock::native;
use crate::os::main_thread::{Call, call_soon};
use punctual::{Instant, Native};
use pyo3::prelude::*;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed, Ordering::SeqCst};
use std::time::Duration;

/// A thread that was told of a free lock has woken by then, if there is a processor for it.
const COMES_WITHIN: Duration = Duration::from_micros(100);

/// The main thread keeps the lock for as long as it leaves it to others, to this much: Python's switch interval.
const TURN: Duration = Duration::from_millis(5);

/// Whether main threads can be asked.
static IS_OPEN: AtomicBool = AtomicBool::new(false);
/// How many stand in line.
static LENGTH: AtomicU32 = AtomicU32::new(0);
/// How many have left it.
static SERVED: AtomicU32 = AtomicU32::new(0);
/// How often the main thread let others have the lock.
static OPENINGS: AtomicU32 = AtomicU32::new(0);
/// Whether the main thread is asked already.
static IS_ASKED: AtomicBool = AtomicBool::new(false);
/// The process of all these: a fork has none of its parent's threads.
static PROCESS: AtomicU32 = AtomicU32::new(0);

thread_local! {
    /// Of the main thread; `None` in others.
    static BALANCE: Cell<Option<Balance>> = const { Cell::new(None) };
}

/// Opens the line, if this interpreter has a lock and asks its main thread at once. Before Python 3.13 it asks only when the
/// main thread takes the lock.
pub fn open(py: Python<'_>) -> PyResult<()> {
    let has_lock = || -> PyResult<bool> {
        let sys = py.import("sys")?;
        sys.call_method0("_is_gil_enabled")?.extract()
    };
    IS_OPEN.store(py.version_info() >= (3, 13) && has_lock()?, Relaxed);
    Ok(())
}

/// A place in the line.
pub struct Place {
    openings: u32,
}

impl Place {
    /// Takes one, and asks the main thread. To be called without the lock.
    pub fn take() -> Option<Self> {
        let is_main = BALANCE.get().is_some();
        if is_main || !IS_OPEN.load(Relaxed) {
            return None;
        }
        let process = std::process::id();
        if PROCESS.swap(process, SeqCst) != process {
            LENGTH.store(0, SeqCst);
            IS_ASKED.store(false, SeqCst);
        }
        let openings = OPENINGS.load(SeqCst);
        LENGTH.fetch_add(1, SeqCst);
        if !IS_ASKED.swap(true, SeqCst) && !call_soon::<Opening>() {
            IS_ASKED.store(false, SeqCst);
        }
        Some(Self { openings })
    }

    /// Whether the main thread had the lock, and let others have it.
    pub fn was_opened(&self) -> bool {
        OPENINGS.load(SeqCst) != self.openings
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        SERVED.fetch_add(1, SeqCst);
        LENGTH.fetch_sub(1, SeqCst);
    }
}

struct Opening;

impl Call for Opening {
    fn call() {
        IS_ASKED.store(false, SeqCst);
        let Ok(os) = native() else { return };
        let mut balance = BALANCE.get().unwrap_or_default();
        balance.has_kept_until(os.now());
        Python::attach(|py| {
            while LENGTH.load(SeqCst) > 0 && balance.allows() {
                let began = os.now();
                OPENINGS.fetch_add(1, SeqCst);
                py.detach(|| until_one_is_served(os, began + COMES_WITHIN));
                balance.left(began, os.now());
            }
        });
        BALANCE.set(Some(balance));
    }
}

fn until_one_is_served(os: &Native, latest: Instant) {
    let served = SERVED.load(SeqCst);
    while SERVED.load(SeqCst) == served && os.now() < latest {
        std::thread::yield_now();
    }
}

/// How long a thread has kept the lock beyond the time for which it left it, and a turn.
#[derive(Clone, Copy)]
struct Balance {
    kept: Duration,
    /// Since when it has had the lock.
    since: Instant,
}

impl Default for Balance {
    fn default() -> Self {
        Self {
            kept: TURN * 2,
            since: Instant::MAX,
        }
    }
}

impl Balance {
    fn has_kept_until(&mut self, now: Instant) {
        let kept = now.duration_since(self.since);
        self.kept = (self.kept + kept).min(TURN * 2);
        self.since = now;
    }

    fn left(&mut self, began: Instant, ended: Instant) {
        self.kept = self.kept.saturating_sub(ended.duration_since(began));
        self.since = ended;
    }

    /// Whether it leaves the lock to others.
    fn allows(&self) -> bool {
        self.kept > TURN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_main_thread_keeps_the_lock_for_as_long_as_it_leaves_it() {
        let (mut balance, mut now) = (Balance::default(), Instant::ZERO);
        let (mut kept, mut left) = (Duration::ZERO, Duration::ZERO);
        for number in 0..1000 {
            let computes = Duration::from_micros(number * 7 % 300);
            now += computes;
            kept += computes;
            balance.has_kept_until(now);
            while balance.allows() {
                let away = Duration::from_micros(200 + 20 * (number % 100));
                balance.left(now, now + away);
                now += away;
                left += away;
            }
        }
        assert!(left <= kept + TURN * 2, "{left:?} {kept:?}");
        assert!(left >= kept, "{left:?} {kept:?}");
    }

    #[test]
    fn a_thread_that_has_the_lock_for_long_takes_no_more_than_turns() {
        let (mut balance, away) = (Balance::default(), Duration::from_secs(1));
        let after = |instant, duration| instant + duration;
        let ended = after(Instant::ZERO, away);
        balance.has_kept_until(Instant::ZERO);
        balance.left(Instant::ZERO, ended);
        balance.has_kept_until(after(ended, TURN));
        assert!(!balance.allows());
        balance.has_kept_until(after(ended, TURN * 2));
        assert!(balance.allows());
    }
}
