//! How long the exposition of a machine with 64 processors takes, and how long it is: `encoding`, built with
//! `--release`. Prints the median of 101 encodings of each format, and the shortest and the longest.

use punctual_watch::board::Series;
use punctual_watch::exposition::Format;
use punctual_watch::sample;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

const PROCESSORS: usize = 64;

fn main() {
    let series = (0..PROCESSORS).map(|processor| {
        let series = Series::new(processor, "punctual-coarse", 100);
        for wait in 0..100_000_u64 {
            // Every bucket has a count of several digits.
            let lateness = 1 << (wait % 25 + 10);
            series.wakes.count(lateness);
            series.deadlines.count(lateness + lateness / 3);
        }
        Arc::new(series)
    });
    let mut board = sample::board();
    board.series = series.collect();
    let board = Arc::new(board);
    for format in [Format::OpenMetrics, Format::PrometheusText] {
        let mut times: Vec<_> = (0..101)
            .map(|_| {
                let start = Instant::now();
                black_box(format.encode(black_box(&board)));
                start.elapsed()
            })
            .collect();
        times.sort_unstable();
        println!(
            "{format:?}: {PROCESSORS} processors, {} bytes, {:.2?} ({:.2?} to {:.2?})",
            format.encode(&board).len(),
            times[50],
            times[0],
            times[100]
        );
    }
}
