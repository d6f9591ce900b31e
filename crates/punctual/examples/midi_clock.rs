//! A MIDI clock: 24 pulses per quarter note, through an accelerando from 120 to 169 beats a minute
//! in one second.
//!
//! Shows: a tempo as an exact `Period`, which no number of nanoseconds equals, and a tempo that
//! changes fifty times, within beats and between pulses, without losing a nanosecond: the music is
//! where the score says, not where fifty roundings would have left it.

use punctual::{LatenessStats, Period, Schedule, Sleeper};
use std::time::Duration;

const PULSES_PER_QUARTER: u64 = 24;

/// How long each tempo lasts.
const STEP: Duration = Duration::from_millis(20);

fn tempo(beats_per_minute: u64) -> Period {
    Period::from_hertz_fraction(beats_per_minute * PULSES_PER_QUARTER, 60)
}

fn main() {
    let mut sleeper = Sleeper::new();
    let mut stats = LatenessStats::new();
    let mut change = sleeper.now();
    let mut pulses = Schedule::new(change, tempo(120));
    for beats_per_minute in 120..170 {
        pulses.set_period(change, tempo(beats_per_minute));
        change += STEP;
        while let Some(deadline) = pulses.next_deadline().filter(|&deadline| deadline < change) {
            let woke = sleeper.sleep_until(deadline).woke;
            // Here the byte 0xF8 goes out.
            let pulse = pulses.tick(woke).expect("it has a deadline");
            stats.record(pulse);
            if pulse.index % PULSES_PER_QUARTER == 0 {
                let beat = pulse.index / PULSES_PER_QUARTER + 1;
                println!("beat {beat} at {beats_per_minute} a minute");
            }
        }
    }
    println!("{}", stats.summary());

    // By the score that was 57.8 pulses, so the next is a fifth of a pulse away: 1/338 s at this tempo.
    let ahead = pulses.next_deadline().map(|deadline| deadline - change);
    assert_eq!(ahead, Some(Duration::from_nanos(1_000_000_000 / 338)));
}
