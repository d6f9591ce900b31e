//! A packet pacer: 200 packets a second for each of eight streams of audio over IP, for one second.
//!
//! Shows: many periodic streams on one thread. Each stream has a `Schedule`, `Timers` says who is
//! next, and a `Sleeper` waits for that. A packet may leave half a millisecond late, so streams
//! whose packets are due at about the same time share a wake-up.

use punctual::timers::Window;
use punctual::{Instant, Period, Schedule, Sleeper, Timers};
use std::time::Duration;

const STREAMS: u64 = 8;
const PACKETS_PER_SECOND: u64 = 200;

/// Far less than what a receiver's buffer evens out.
const TOLERANCE: Duration = Duration::from_micros(500);

fn main() -> Result<(), punctual::Error> {
    let period = Period::from_hertz(PACKETS_PER_SECOND);
    let mut sleeper = Sleeper::new();
    let start = sleeper.os().now();
    let end = start + Duration::from_secs(1);

    let mut timers = Timers::new();
    for stream in 0..STREAMS {
        // Streams began when they began: their packets are not due together.
        let schedule = Schedule::new(start + Duration::from_micros(300 * stream), period);
        arm(&mut timers, schedule);
    }

    let (mut packets, mut wakeups, mut latest) = (0, 0, Duration::ZERO);
    while let Some(wakeup) = timers.next_wakeup().filter(|&wakeup| wakeup < end) {
        let now = sleeper.sleep_until(wakeup).woke;
        wakeups += 1;
        while let Some(fired) = timers.pop_due(now) {
            latest = latest.max(now.duration_since(fired.window.latest()));
            packets += 1;
            let mut schedule = fired.value;
            schedule.tick(now);
            arm(&mut timers, schedule);
        }
    }
    println!("{packets} packets in {wakeups} wake-ups, at most {latest:?} later than allowed");
    Ok(())
}

/// Sets the timer of a stream's next packet.
fn arm(timers: &mut Timers<Schedule>, schedule: Schedule) {
    let deadline = schedule.next_deadline().unwrap_or(Instant::MAX);
    timers.insert(Window::tolerating(deadline, TOLERANCE), schedule);
}
