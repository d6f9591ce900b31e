//! Other programs' threads: they sleep for whole milliseconds, and work a little after each sleep.

use super::{say_progress, say_ready, spawn};
use crate::conditions::{MOST_WORK, SLEEP_MILLIS};
use crate::os;
use fastrand::Rng;
use punctual::Error;
use std::convert::Infallible;
use std::hint;
use std::num::NonZeroUsize;
use std::sync::{Arc, RwLock};
use std::thread;
use std::time::{Duration, Instant};

/// The distance between the random streams of two companions. It is more than the threads that one
/// companion can have.
const STREAMS: u32 = 1 << 16;

pub(super) fn serve(threads: NonZeroUsize, number: u32) -> Result<Infallible, Error> {
    os::std_sleeps()?;
    let first = number.wrapping_mul(STREAMS);
    // Nobody works before all are there. Otherwise the first hundreds would keep the processors from this
    // thread, which starts the others.
    let all_are_there = Arc::new(RwLock::new(()));
    let starting = all_are_there.write();
    for stream in (first..).take(threads.get()).skip(1) {
        let all_are_there = Arc::clone(&all_are_there);
        spawn("sleeper", move || {
            drop(all_are_there.read());
            sleep_without_end(stream)
        })?;
        say_progress()?;
    }
    say_ready()?;
    drop(starting);
    sleep_without_end(first)
}

fn sleep_without_end(stream: u32) -> ! {
    let most_work_micros = u32::try_from(MOST_WORK.as_micros()).expect("it is short");
    let mut chance = Rng::with_seed(stream.into());
    loop {
        let millis = chance.u32(SLEEP_MILLIS);
        thread::sleep(Duration::from_millis(millis.into()));
        let micros = chance.u32(..=most_work_micros);
        work_until(Instant::now() + Duration::from_micros(micros.into()));
    }
}

fn work_until(end: Instant) {
    while Instant::now() < end {
        hint::spin_loop();
    }
}
