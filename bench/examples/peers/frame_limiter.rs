//! On `spin_sleep_util`: it has no word for a pause, and whoever wants to know how late frames are, or
//! how many were missed, counts.

use spin_sleep_util::{Interval, interval};
use std::thread;
use std::time::Duration;

const SLOW_FRAME: u64 = 30;

pub fn main() {
    let mut frames = interval(Duration::from_secs(1) / 144);
    show("in front", &mut frames, 72);

    frames.set_period(Duration::from_secs(1) / 30);
    show("in the background", &mut frames, 10);

    thread::sleep(Duration::from_millis(100));
    frames.set_period(Duration::from_secs(1) / 144);
    frames.reset();
    show("in front again", &mut frames, 29);
}

fn show(place: &str, frames: &mut Interval, count: u64) {
    let mut latenesses = Vec::new();
    for frame in 0..count {
        let deadline = frames.tick();
        latenesses.push(deadline.elapsed());
        simulate_and_draw(frame);
    }
    latenesses.sort();
    let (median, worst) = (latenesses[latenesses.len() / 2], latenesses.last());
    println!("{place}: late {median:?} (p50), {worst:?} (worst)");
}

fn simulate_and_draw(frame: u64) {
    let work = if frame == SLOW_FRAME { 20 } else { 2 };
    thread::sleep(Duration::from_millis(work));
}
