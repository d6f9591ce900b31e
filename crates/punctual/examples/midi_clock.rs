//! A MIDI clock: 24 pulses per quarter note at 125.5 beats a minute, for one second, while notes end
//! at times of their own.
//!
//! Shows: a tempo as an exact `Period`, a fraction that no number of nanoseconds equals; and single
//! timers beside a periodic one in the same `Timers`, exact to the nanosecond. A stopped note's end
//! is cancelled.

use punctual::{Period, Schedule, Sleeper, Timers};
use std::time::Duration;

const PULSES_PER_QUARTER: u64 = 24;

/// Beats per two minutes: 125.5 a minute.
const BEATS_PER_TWO_MINUTES: u64 = 251;

/// What happens.
enum Event {
    Pulse,
    NoteEnds(&'static str),
}

fn main() -> Result<(), punctual::Error> {
    let pulses_per_two_minutes = BEATS_PER_TWO_MINUTES * PULSES_PER_QUARTER;
    let period = Period::from_hertz_fraction(pulses_per_two_minutes, 120);
    let mut sleeper = Sleeper::new();
    let start = sleeper.os().now();
    let end = start + Duration::from_secs(1);
    let mut pulses = Schedule::new(start, period);

    let mut timers = Timers::new();
    timers.insert(start, Event::Pulse);
    timers.insert(
        start + Duration::from_micros(333_333),
        Event::NoteEnds("C4"),
    );
    let held = timers.insert(start + Duration::from_millis(700), Event::NoteEnds("G4"));

    let mut latest = Duration::ZERO;
    while let Some(wakeup) = timers.next_wakeup().filter(|&wakeup| wakeup < end) {
        let now = sleeper.sleep_until(wakeup).woke;
        while let Some(fired) = timers.pop_due(now) {
            latest = latest.max(now.duration_since(fired.window.latest()));
            match fired.value {
                Event::Pulse => {
                    let beat = pulses
                        .tick(now)
                        .filter(|tick| tick.index % PULSES_PER_QUARTER == 0);
                    if let Some(tick) = beat {
                        println!("beat {}", tick.index / PULSES_PER_QUARTER + 1);
                    }
                    if let Some(next) = pulses.next_deadline() {
                        timers.insert(next, Event::Pulse);
                    }
                }
                Event::NoteEnds(note) => {
                    println!("{note} ends, and G4 is stopped");
                    timers.cancel(held);
                }
            }
        }
    }
    println!("at most {latest:?} late");
    Ok(())
}
