//! Many threads with short sleeps: they cause timer interrupts, and wake-ups on every processor.

use super::{say_progress, say_ready, spawn};
use crate::os;
use fastrand::Rng;
use punctual::Error;
use std::convert::Infallible;
use std::thread;
use std::time::Duration;

/// A few hundred, as on a desktop in use.
const THREADS: u32 = 200;

/// The shortest sleep.
const SHORTEST_MICROS: u32 = 500;

/// The longest sleep. Sleeps average five milliseconds, which makes forty thousand wake-ups a
/// second. They take a fifth of one processor (AMD EPYC, Linux 6.18). Many more would load the
/// processors instead.
const LONGEST_MICROS: u32 = 9_500;

pub(super) fn serve() -> Result<Infallible, Error> {
    os::std_sleeps()?;
    for number in 1..THREADS {
        spawn("load-timer", move || sleep_without_end(number))?;
        say_progress()?;
    }
    say_ready()?;
    sleep_without_end(THREADS)
}

fn sleep_without_end(number: u32) -> ! {
    let mut chance = Rng::with_seed(number.into());
    loop {
        let micros = chance.u32(SHORTEST_MICROS..=LONGEST_MICROS);
        thread::sleep(Duration::from_micros(micros.into()));
    }
}
