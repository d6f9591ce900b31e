//! A watch that its own quota holds back does not blame the machine.
//!
//! A program of its own, because the whole process is held back.

mod os;

use os::group::Group;
use punctual_watch::board::Board;
use punctual_watch::faults::Fault;
use punctual_watch::observer::Observer;
use punctual_watch::sampler::Samplers;
use punctual_watch::settings::Settings;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

/// By then a quota that is used up most of the time has held back some wake-up, whatever else runs.
const MOST_WAKE_UPS: u64 = 5_000;

#[test]
fn a_watch_that_is_held_back_says_so_and_does_not_count_it() {
    // A twentieth of a processor, of which a spinning thread takes all.
    let group = match Group::with_quota(Duration::from_millis(5), Duration::from_millis(100)) {
        Ok(group) => group,
        Err(reason) => return println!("skipped: {reason}"),
    };
    let settings = Settings::default();
    let board = Arc::new(Board::new(&settings, Arc::default(), None).unwrap());
    let observer = Observer::start(&board).unwrap();
    let samplers = Samplers::start(&settings, &board, None).unwrap();
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Relaxed) {
                std::hint::spin_loop();
            }
        });
        let said = || board.faults.count(Fault::Throttled) > 0;
        let woken = || board.series[0].wakes.read().total() > MOST_WAKE_UPS;
        while !said() && !woken() {
            thread::sleep(Duration::from_millis(10));
        }
        is_over.store(true, Relaxed);
    });
    samplers.stop();
    let readings = board.readings.lock().unwrap().clone();
    observer.stop();
    drop(group);
    assert!(board.faults.count(Fault::Throttled) > 0);
    let told = readings.numbers.iter().any(|one| one.name == "throttled");
    assert!(told, "{readings:?}");
}
