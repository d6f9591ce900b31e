//! What programs on Windows do to keep a beat, on any implementation of its calls.

use super::{feedback, named, portable};
use crate::Machine;
use crate::calls;
use crate::machine::{Keeping, Way};
use crate::methods::windows::{self, SET_TIMER};
use punctual::Os;
use punctual::os::windows::WindowsOs;
use punctual_windows::os::windows::Win32Lab;
use std::time::Duration;

/// How much the study of high-resolution timers shortens its waits.
const EARLY: Duration = Duration::from_micros(80);

/// How long before a deadline a loop that sleeps and spins stops sleeping: the longest `Sleep(1)`
/// if a program has requested 1 ms.
const SPIN: Duration = Duration::from_millis(2);

const REMAINDER: Keeping = Keeping::Remainder {
    early: Duration::ZERO,
};
const SHORTENED: Keeping = Keeping::Remainder { early: EARLY };

/// A way that uses a method: its name, its summary, its schedule, and the method's name.
type ByMethod = (&'static str, &'static str, Keeping, &'static str);

const BY_METHOD: [ByMethod; 15] = [
    (
        "sleep",
        "Sleep for the rest of the period",
        REMAINDER,
        "sleep",
    ),
    (
        "sleep-spin",
        "Sleep until 2 ms before the deadline, then spin",
        Keeping::Schedule { margin: SPIN },
        "sleep",
    ),
    (
        "waitable-due",
        "a waitable timer for the rest of the period",
        REMAINDER,
        "waitable",
    ),
    (
        "waitable-early",
        "the same, 80 µs earlier",
        SHORTENED,
        "waitable",
    ),
    (
        "waitable-abs",
        "a waitable timer, due at times of a schedule",
        Keeping::Itself,
        "waitable-abs",
    ),
    (
        "waitable-cycle",
        "a periodic waitable timer",
        Keeping::Itself,
        "waitable-cycle",
    ),
    (
        "high-res-due",
        "as waitable-due, with a high-resolution timer",
        REMAINDER,
        "high-res",
    ),
    (
        "high-res-early",
        "the same, 80 µs earlier",
        SHORTENED,
        "high-res",
    ),
    (
        "high-res-abs",
        "as waitable-abs, with a high-resolution timer",
        Keeping::Itself,
        "high-res-abs",
    ),
    (
        "high-res-cycle",
        "a periodic high-resolution waitable timer",
        Keeping::Itself,
        "high-res-cycle",
    ),
    (
        "timer-queue",
        "a periodic timer-queue timer",
        Keeping::Itself,
        "timer-queue",
    ),
    (
        "time-set-event",
        "a periodic timeSetEvent; makes its own request",
        Keeping::Itself,
        "time-set-event",
    ),
    (
        "pool-once",
        "a one-shot pool timer for the rest of the period",
        REMAINDER,
        "pool-once",
    ),
    (
        "queue-once",
        "a one-shot queue timer for the rest of the period",
        REMAINDER,
        "queue-once",
    ),
    (
        SET_TIMER,
        "a periodic SetTimer and its messages; at least 10 ms",
        Keeping::Itself,
        SET_TIMER,
    ),
];

/// All of them, oldest first, and then Punctual's own.
pub fn all<W: Win32Lab>() -> Vec<Way<WindowsOs<W>>>
where
    WindowsOs<W>: Machine,
{
    // If a name occurs twice, the first is the one for loops.
    let mut methods = Vec::from(windows::for_loops::<W>());
    methods.extend(windows::all());
    methods.extend(calls::windows::methods());
    let by_method = BY_METHOD.map(|(name, summary, keeping, method)| Way {
        name,
        summary,
        keeping,
        make: named(&methods, method),
    });
    let mut ways = Vec::from(by_method);
    ways.insert(2, timed_by_milliseconds());
    ways.extend(portable());
    ways
}

fn timed_by_milliseconds<W: Win32Lab>() -> Way<WindowsOs<W>> {
    Way {
        name: "feedback",
        summary: "Sleep by a schedule in whole ms of timeGetTime",
        keeping: Keeping::Itself,
        make: |os, wishes| {
            let (clock, sleeper) = (os.clone(), os.clone());
            let milliseconds = move || clock.win32().time_get_time();
            let sleep = move |milliseconds| {
                sleeper.win32().sleep(milliseconds);
                sleeper.now()
            };
            Ok(feedback(wishes.period, milliseconds, sleep))
        },
    }
}
