//! A frame limiter: 144 frames a second, 30 in the background, none while the window is hidden.
//!
//! Shows: a rate that changes while the loop runs, a loop that pauses and goes on, and a frame that
//! took too long: it is counted, not caught up with, because whoever looks wants the newest frame.
//! If your system can wait for the display's vertical blank, wait for that instead.

use punctual::{LatenessStats, Period, Ticker};
use std::thread;
use std::time::Duration;

/// The frame whose work takes longer than its period.
const SLOW_FRAME: u64 = 30;

fn main() {
    let mut frames = Ticker::new(Period::from_hertz(144));
    show("in front", &mut frames, 72);

    frames.set_period(Period::from_hertz(30));
    show("in the background", &mut frames, 10);

    // Hidden: it gives back what it holds of the system, and misses nothing meanwhile.
    frames.pause();
    thread::sleep(Duration::from_millis(100));
    frames.set_period(Period::from_hertz(144));
    frames.restart();
    show("in front again", &mut frames, 29);
}

/// Shows so many frames, and says how punctual they were.
fn show(place: &str, frames: &mut Ticker, count: usize) {
    let mut stats = LatenessStats::new();
    for frame in frames.take(count) {
        stats.record(frame);
        simulate_and_draw(frame.index);
    }
    println!("{place}: {}", stats.summary());
}

/// Stands for a game.
fn simulate_and_draw(frame: u64) {
    let work = if frame == SLOW_FRAME { 20 } else { 2 };
    thread::sleep(Duration::from_millis(work));
}
