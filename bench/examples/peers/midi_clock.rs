//! On `spin_sleep`, with the position in the music kept in floats.

use spin_sleep::SpinSleeper;
use std::time::{Duration, Instant};

const PULSES_PER_QUARTER: f64 = 24.0;
const STEP: Duration = Duration::from_millis(20);

pub fn main() {
    let sleeper = SpinSleeper::default();
    let mut latenesses = Vec::new();
    let (mut change, mut position, mut pulse) = (Instant::now(), 0.0, 0);
    for beats_per_minute in 120..170 {
        let rate = f64::from(beats_per_minute) * PULSES_PER_QUARTER / 60.0;
        let end = position + rate * STEP.as_secs_f64();
        while f64::from(pulse) < end {
            let ahead = (f64::from(pulse) - position) / rate;
            let deadline = change + Duration::from_secs_f64(ahead);
            sleeper.sleep_until(deadline);
            // Here the byte 0xF8 goes out.
            latenesses.push(deadline.elapsed());
            if pulse % 24 == 0 {
                let beat = pulse / 24 + 1;
                println!("beat {beat} at {beats_per_minute} a minute");
            }
            pulse += 1;
        }
        (change, position) = (change + STEP, end);
    }
    latenesses.sort();
    let (median, worst) = (latenesses[latenesses.len() / 2], latenesses.last());
    println!("late {median:?} (p50), {worst:?} (worst)");
    println!("after 50 changes of the tempo, at {position} pulses of 57.8");
}
