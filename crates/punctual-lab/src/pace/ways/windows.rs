//! What programs do on Windows, on whatever makes its calls.

use super::{feedback, named, portable};
use crate::Machine;
use crate::machine::{Keeping, Way};
use crate::methods::windows;
use punctual::Os;
use punctual::os::windows::{Win32Lab, WindowsOs};
use std::time::Duration;

/// By how much the study of high-resolution timers shortens its waits.
const EARLY: Duration = Duration::from_micros(80);

/// How long before a deadline a loop that sleeps and spins stops sleeping: what `Sleep(1)` takes at
/// most where somebody has asked for 1 ms.
const SPIN: Duration = Duration::from_millis(2);

const REMAINDER: Keeping = Keeping::Remainder {
    early: Duration::ZERO,
};
const SHORTENED: Keeping = Keeping::Remainder { early: EARLY };

/// A way by a method: its name, what it is, what is asked of the method, and the method's name.
type ByMethod = (&'static str, &'static str, Keeping, &'static str);

const BY_METHOD: [ByMethod; 12] = [
    (
        "sleep",
        "Sleep for what remains of the period since the last beat",
        REMAINDER,
        "sleep",
    ),
    (
        "sleep-spin",
        "Sleep until 2 ms before the deadline, and look at the clock",
        Keeping::Schedule { margin: SPIN },
        "sleep",
    ),
    (
        "waitable-due",
        "a waitable timer due when the period since the last beat is over",
        REMAINDER,
        "waitable",
    ),
    (
        "waitable-early",
        "the same 80 µs early",
        SHORTENED,
        "waitable",
    ),
    (
        "waitable-abs",
        "a waitable timer due at times of the system clock computed from the start",
        Keeping::Itself,
        "waitable-abs",
    ),
    (
        "waitable-cycle",
        "a waitable timer with a period",
        Keeping::Itself,
        "waitable-cycle",
    ),
    (
        "high-res-due",
        "a high-resolution waitable timer, as waitable-due",
        REMAINDER,
        "high-res",
    ),
    (
        "high-res-early",
        "the same 80 µs early",
        SHORTENED,
        "high-res",
    ),
    (
        "high-res-abs",
        "a high-resolution waitable timer, as waitable-abs",
        Keeping::Itself,
        "high-res-abs",
    ),
    (
        "high-res-cycle",
        "a high-resolution waitable timer with a period",
        Keeping::Itself,
        "high-res-cycle",
    ),
    (
        "timer-queue",
        "a timer-queue timer with a period",
        Keeping::Itself,
        "timer-queue",
    ),
    (
        "time-set-event",
        "timeSetEvent with a period; makes its own request",
        Keeping::Itself,
        "time-set-event",
    ),
];

/// All of them, the oldest first, then Punctual's own.
pub fn all<W: Win32Lab>() -> Vec<Way<WindowsOs<W>>>
where
    WindowsOs<W>: Machine,
{
    // The first of a name is the one for loops.
    let mut methods = Vec::from(windows::for_loops::<W>());
    methods.extend(windows::all());
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
        summary: "VirtualDub's own: timeGetTime against a schedule, and Sleep",
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
