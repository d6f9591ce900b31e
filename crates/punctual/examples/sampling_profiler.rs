//! A sampling profiler's loop: 2000 samples a second, for one second.
//!
//! Shows: a `Ticker` on a `Sleeper` that never spins. A profiler must not take
//! the processor from whatever it looks at, and it must know which samples are
//! missing, or its percentages lie.

use punctual::{Period, Sleeper, Ticker};

const SAMPLES_PER_SECOND: u64 = 2_000;

fn main() -> Result<(), punctual::Error> {
    let sleeper = Sleeper::new().coarse();
    let period = Period::from_hertz(SAMPLES_PER_SECOND);
    let ticker = Ticker::with_sleeper(sleeper, period);
    let (mut samples, mut missed, mut latenesses) = (0, 0, Vec::new());
    for tick in ticker {
        if tick.index >= SAMPLES_PER_SECOND {
            break;
        }
        // Here a stack would be walked. The sample stands for the missed ones, too.
        samples += 1;
        missed += tick.missed;
        latenesses.push(tick.lateness());
    }
    latenesses.sort();
    let median = latenesses[latenesses.len() / 2];
    println!("{samples} samples, {missed} missed, the median {median:?} late");
    Ok(())
}
