//! What programs on Windows do to keep a beat, on any implementation of its calls.

use super::{feedback, named, portable};
use crate::Machine;
use crate::calls;
use crate::machine::{Keeping, Way};
use crate::methods::windows;
use punctual::Os;
use punctual::os::windows::WindowsOs;
use punctual_windows::mechanisms::{
    HIGH_RES, HIGH_RES_ABS, HIGH_RES_CYCLE, Mechanism, POOL_ONCE, QUEUE_ONCE, SET_TIMER, SLEEP,
    TIME_SET_EVENT, TIMER_QUEUE, WAITABLE, WAITABLE_ABS, WAITABLE_CYCLE,
};
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
const EARLIER: &str = "the same, 80 µs earlier";

/// A way that uses a method.
struct ByMethod {
    name: &'static str,
    summary: &'static str,
    keeping: Keeping,
    mechanism: Mechanism,
}

/// Under a name of its own.
const fn way(
    name: &'static str,
    summary: &'static str,
    keeping: Keeping,
    mechanism: Mechanism,
) -> ByMethod {
    ByMethod {
        name,
        summary,
        keeping,
        mechanism,
    }
}

/// Under the name of the method.
const fn plain(mechanism: Mechanism, keeping: Keeping) -> ByMethod {
    way(mechanism.name, mechanism.summary, keeping, mechanism)
}

const BY_METHOD: [ByMethod; 15] = [
    plain(SLEEP, REMAINDER),
    way(
        "sleep-spin",
        "Sleep until 2 ms before the deadline, then spin",
        Keeping::Schedule { margin: SPIN },
        SLEEP,
    ),
    way("waitable-due", WAITABLE.summary, REMAINDER, WAITABLE),
    way("waitable-early", EARLIER, SHORTENED, WAITABLE),
    plain(WAITABLE_ABS, Keeping::Itself),
    plain(WAITABLE_CYCLE, Keeping::Itself),
    way("high-res-due", HIGH_RES.summary, REMAINDER, HIGH_RES),
    way("high-res-early", EARLIER, SHORTENED, HIGH_RES),
    plain(HIGH_RES_ABS, Keeping::Itself),
    plain(HIGH_RES_CYCLE, Keeping::Itself),
    plain(TIMER_QUEUE, Keeping::Itself),
    plain(TIME_SET_EVENT, Keeping::Itself),
    plain(POOL_ONCE, REMAINDER),
    plain(QUEUE_ONCE, REMAINDER),
    plain(SET_TIMER, Keeping::Itself),
];

/// What the way of this name waits with and how it keeps its beat, if it uses a method.
#[cfg(feature = "sim")]
pub(crate) fn by_method(name: &str) -> Option<(Mechanism, Keeping)> {
    let way = BY_METHOD.into_iter().find(|way| way.name == name)?;
    Some((way.mechanism, way.keeping))
}

/// All of them, oldest first, and then Punctual's own.
pub fn all<W: Win32Lab>() -> Vec<Way<WindowsOs<W>>>
where
    WindowsOs<W>: Machine,
{
    // If a name occurs twice, the first is the one for loops.
    let mut methods = Vec::from(windows::for_loops::<W>());
    methods.extend(windows::all());
    methods.extend(calls::windows::methods());
    let by_method = BY_METHOD.map(|way| Way {
        name: way.name,
        summary: way.summary,
        keeping: way.keeping,
        make: named(&methods, way.mechanism.name),
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
