//! What programs on Linux do to keep a beat.

use super::NANOSLEEP;
use super::sleeping::{CLOCK_NANOSLEEP, std_sleeps};
use super::timerfd::PERIODIC_TIMERFD;
use crate::machine::{Keeping, Way};
use crate::pace::portable;
use crate::pace::ways::feedback;
use punctual::Native;
use std::thread;
use std::time::Duration;

/// How long before a deadline a loop that sleeps and spins stops sleeping. More than the 50 µs of
/// timer slack and the 50 µs that an idle processor takes to wake.
const SPIN: Duration = Duration::from_micros(200);

const NO_MARGIN: Keeping = Keeping::Schedule {
    margin: Duration::ZERO,
};

/// All of them, and then Punctual's own.
pub(super) fn all() -> Vec<Way<Native>> {
    let mut ways = vec![
        Way {
            name: "nanosleep",
            summary: "nanosleep for the rest of the period",
            keeping: Keeping::Remainder {
                early: Duration::ZERO,
            },
            make: NANOSLEEP.make,
        },
        Way {
            name: "sleep-spin",
            summary: "nanosleep until 200 µs before deadlines, then spin",
            keeping: Keeping::Schedule { margin: SPIN },
            make: NANOSLEEP.make,
        },
        FEEDBACK,
        Way {
            name: "clock-nanosleep",
            summary: "clock_nanosleep until deadlines of a schedule",
            keeping: NO_MARGIN,
            make: CLOCK_NANOSLEEP.make,
        },
        Way {
            name: "timerfd-cycle",
            summary: "a periodic timerfd",
            keeping: Keeping::Itself,
            make: PERIODIC_TIMERFD.make,
        },
    ];
    ways.extend(portable());
    ways
}

const FEEDBACK: Way<Native> = Way {
    name: "feedback",
    summary: "std::thread::sleep by a schedule in whole ms",
    keeping: Keeping::Itself,
    make: |os, wishes| {
        std_sleeps()?;
        let (clock, os) = (os.clone(), os.clone());
        let sleep = move |milliseconds: u32| {
            thread::sleep(Duration::from_millis(milliseconds.into()));
            os.now()
        };
        Ok(feedback(wishes.period, move || milliseconds(&clock), sleep))
    },
};

/// The monotonic clock as programs use it that count milliseconds in 32 bits.
#[expect(
    clippy::cast_possible_truncation,
    reason = "it wraps after 49.7 days, as timeGetTime does"
)]
fn milliseconds(os: &Native) -> u32 {
    const NANOS_PER_MILLISECOND: u64 = 1_000_000;
    (os.now().as_nanos() / NANOS_PER_MILLISECOND) as u32
}
