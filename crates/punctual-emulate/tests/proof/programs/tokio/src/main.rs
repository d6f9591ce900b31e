//! Waits in tokio, and how long each took: waits-tokio ENTRY NANOSECONDS COUNT.

use std::env;
use std::time::{Duration, Instant};
use tokio::runtime::Builder;

fn main() {
    let arguments: Vec<String> = env::args().collect();
    let length = Duration::from_nanos(arguments[2].parse().unwrap());
    let count: usize = arguments[3].parse().unwrap();
    let mut builder = match arguments[1].as_str() {
        "threads" => Builder::new_multi_thread(),
        _ => Builder::new_current_thread(),
    };
    // With the network's driver, as nearly every program has it: then a wait is one of epoll.
    let runtime = builder.enable_all().build().unwrap();
    let took = runtime.block_on(async {
        let mut interval = tokio::time::interval(length);
        let mut took = Vec::with_capacity(count);
        for _ in 0..count {
            let begin = Instant::now();
            match arguments[1].as_str() {
                "interval" => drop(interval.tick().await),
                _ => tokio::time::sleep(length).await,
            }
            took.push(begin.elapsed());
        }
        took
    });
    for length in took {
        println!("{}", length.as_nanos());
    }
}
