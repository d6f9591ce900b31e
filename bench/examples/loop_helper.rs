//! A loop that moves from `spin_sleep`'s `LoopHelper` to Punctual: the program before and after.
//!
//! | before | after |
//! |---|---|
//! | `build_with_target_rate(250.0)` | `Ticker::new(Period::from_hertz(250))` |
//! | `loop_start()` | the next tick; its `interval` is the delta |
//! | `loop_sleep()`, a period after its `loop_start` | the next tick, on a grid that does not drift |
//! | `report_rate()` | `LatenessStats::record`, which also knows how late frames came |
//! | `set_target_rate(60.0)` | `set_period(Period::from_hertz(60))` |

use std::time::Duration;

const FRAMES: usize = 500;

/// `LoopHelper` is deprecated for `spin_sleep_util`, whose `Interval` has the grid and `RateReporter`
/// the rate, and no delta.
#[allow(deprecated)]
mod before {
    use super::{FRAMES, draw};
    use spin_sleep::LoopHelper;

    pub fn run() {
        let mut loop_helper = LoopHelper::builder()
            .report_interval_s(1.0)
            .build_with_target_rate(250.0);
        for _ in 0..FRAMES {
            let delta = loop_helper.loop_start();
            if let Some(rate) = loop_helper.report_rate() {
                println!("LoopHelper: {rate:.1} fps");
            }
            draw(delta);
            loop_helper.loop_sleep();
        }
    }
}

mod between {
    use super::{FRAMES, draw};
    use spin_sleep_util::{RateReporter, interval};
    use std::time::{Duration, Instant};

    pub fn run() {
        let mut interval = interval(Duration::from_secs(1) / 250);
        let mut reporter = RateReporter::new(Duration::from_secs(1));
        let mut last = Instant::now();
        for _ in 0..FRAMES {
            interval.tick();
            let woke = Instant::now();
            if let Some(rate) = reporter.increment_and_report() {
                println!("spin_sleep_util: {rate:.1} fps");
            }
            draw(woke - last);
            last = woke;
        }
    }
}

mod after {
    use super::{FRAMES, draw};
    use punctual::{LatenessStats, Period, Ticker};

    pub fn run() {
        let mut stats = LatenessStats::new();
        let frames = Ticker::new(Period::from_hertz(250));
        for frame in frames.take(FRAMES) {
            if let Some(second) = stats.record(frame) {
                println!("Punctual: {second}");
            }
            draw(frame.interval);
        }
    }
}

fn main() {
    before::run();
    between::run();
    after::run();
}

/// Stands for a game.
fn draw(_since_the_last_frame: Duration) {
    std::thread::sleep(Duration::from_micros(500));
}
