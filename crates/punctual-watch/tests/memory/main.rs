//! What runs for months takes no memory.
//!
//! A program of its own, because its allocator counts what any thread takes.

mod os;

use os::counting::allocations;
use punctual_watch::board::Board;
use punctual_watch::sampler::Samplers;
use punctual_watch::settings::Settings;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

#[test]
fn samplers_allocate_nothing_once_they_wait() {
    let settings = Settings {
        methods: vec!["punctual-coarse", "std-sleep"],
        rate_hertz: 1_000,
        budget: 1.0,
        ..Settings::default()
    };
    let board = match Board::new(&settings, Arc::default(), None) {
        Ok(board) => Arc::new(board),
        Err(error) => return println!("skipped: {error}"),
    };
    let samplers = Samplers::start(&settings, &board, None).unwrap();
    // Until then the threads have started, and a method has made what it makes with its first waits.
    wait_until_each_has(&board, 50);
    let before = allocations();
    // More than a second of waits, so that the governor has looked.
    wait_until_each_has(&board, 2_000);
    let allocated = allocations() - before;
    samplers.stop();
    assert_eq!(allocated, 0, "some thread of this process took memory");
}

fn wait_until_each_has(board: &Board, waits: u64) {
    let has = |counts: punctual_watch::histogram::Counts| counts.total() >= waits;
    while !board
        .series
        .iter()
        .all(|series| has(series.deadlines.read()))
    {
        thread::sleep(Duration::from_millis(5));
    }
}
