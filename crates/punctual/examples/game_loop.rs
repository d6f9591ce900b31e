//! A game loop: 60 frames a second, for one second.
//!
//! Shows: a `Ticker` whose frames never drift, and that a frame which took too long is counted, not
//! caught up with: a renderer wants the newest frame, not two old ones. If your system can wait for
//! the display's vertical blank, wait for that instead.

use punctual::{Period, Ticker};
use std::time::Duration;

const FRAMES: usize = 60;

/// The frame whose work takes longer than its period.
const SLOW_FRAME: u64 = 30;

fn main() -> Result<(), punctual::Error> {
    let frames = Ticker::new(Period::from_hertz(60));
    let (mut missed, mut latest) = (0, Duration::ZERO);
    for frame in frames.take(FRAMES) {
        missed += frame.missed;
        if frame.missed == 0 {
            latest = latest.max(frame.lateness());
        } else {
            println!("frame {} after {} missed", frame.index, frame.missed);
        }
        simulate_and_draw(frame.index);
    }
    println!("{FRAMES} frames, {missed} missed, the latest of the others {latest:?} late");
    Ok(())
}

/// Stands for a game.
fn simulate_and_draw(frame: u64) {
    let work = if frame == SLOW_FRAME { 40 } else { 5 };
    std::thread::sleep(Duration::from_millis(work));
}
