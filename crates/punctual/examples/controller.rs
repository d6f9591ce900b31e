//! A controller: a loop at 1 kHz that brings a simulated motor to its speed, for one second.
//!
//! Shows: a FIFO priority and memory that is never paged out, where the program may have them. Without
//! the privilege, and on systems that have no such thing, it works all the same, says what it lacks,
//! and how punctual it was.

use punctual::{LatenessStats, MemoryGuard, Native, Period, Priority, PriorityGuard, Ticker};

const RATE: Period = Period::from_hertz(1_000);

fn main() {
    let os = Native::new();
    let _priority = PriorityGuard::raise(&os, Priority::Fifo(50))
        .inspect_err(|error| eprintln!("at an ordinary priority: {error}"));
    let _memory =
        MemoryGuard::lock(&os).inspect_err(|error| eprintln!("memory can be paged out: {error}"));

    let mut motor = Motor::default();
    let mut stats = LatenessStats::new();
    for tick in Ticker::new(RATE).take(1_000) {
        // The controller goes by the time that has passed, not by the time that should have.
        motor.control(tick.interval.as_secs_f64());
        stats.record(tick);
    }
    println!("{:.3} turns a second; {}", motor.speed, stats.summary());
}

/// Stands for hardware and control law.
#[derive(Default)]
struct Motor {
    speed: f64,
}

impl Motor {
    fn control(&mut self, seconds: f64) {
        const WANTED: f64 = 50.0;
        const GAIN: f64 = 20.0;
        self.speed += (WANTED - self.speed) * GAIN * seconds;
    }
}
