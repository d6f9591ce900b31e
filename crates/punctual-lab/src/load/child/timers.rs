//! Many threads that sleep shortly: timer interrupts, and wake-ups in other processors' way.

use super::{say_ready, spawn};
use punctual::Error;
use std::convert::Infallible;
use std::thread;
use std::time::Duration;

/// Some hundred, as a desktop has that is in use.
const THREADS: u32 = 200;

/// From here...
const SHORTEST_MICROS: u32 = 500;

/// ...to here, five milliseconds on average: forty thousand wake-ups a second, which take a fifth
/// of one processor (AMD EPYC, Linux 6.18). Many more would be a load of processors instead.
const LONGEST_MICROS: u32 = 9_500;

pub(super) fn serve() -> Result<Infallible, Error> {
    for seed in 1..THREADS {
        spawn("load-timer", move || sleep_without_end(seed))?;
    }
    say_ready()?;
    sleep_without_end(THREADS)
}

fn sleep_without_end(seed: u32) -> ! {
    let mut lengths = Lengths(seed);
    loop {
        thread::sleep(lengths.next());
    }
}

/// Lengths that don't repeat soon, and differ from thread to thread, so that expiries spread out.
struct Lengths(u32);

impl Lengths {
    fn next(&mut self) -> Duration {
        // xorshift32 (Marsaglia 2003, https://doi.org/10.18637/jss.v008.i14): any seed but zero.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        let micros = SHORTEST_MICROS + self.0 % (LONGEST_MICROS - SHORTEST_MICROS + 1);
        Duration::from_micros(micros.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_mixed_and_within_their_bounds() {
        let bounds = Duration::from_micros(SHORTEST_MICROS.into())
            ..=Duration::from_micros(LONGEST_MICROS.into());
        for seed in 1..=THREADS {
            let mut lengths = Lengths(seed);
            let first = lengths.next();
            for _ in 0..1000 {
                assert!(bounds.contains(&lengths.next()));
            }
            assert_ne!(first, lengths.next());
        }
    }
}
