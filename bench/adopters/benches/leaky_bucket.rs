//! How much longer than an interval leaky-bucket takes from one permit to the next, and how many it gives, in three seconds.

use leaky_bucket::RateLimiter;
use std::time::{Duration, Instant};

#[allow(clippy::cast_precision_loss)]
fn main() {
    let interval = std::env::args().nth(1).and_then(|given| given.parse().ok()).expect("milliseconds");
    let interval = Duration::from_millis(interval);
    let limiter = RateLimiter::builder().max(1).initial(0).refill(1).interval(interval).build();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let begun = Instant::now();
    let mut given = Vec::new();
    runtime.block_on(async {
        while begun.elapsed() < Duration::from_secs(3) {
            limiter.acquire_one().await;
            given.push(Instant::now());
        }
    });
    let late: Vec<i128> = given.windows(2).map(|pair| {
        (pair[1] - pair[0]).as_nanos().cast_signed() - interval.as_nanos().cast_signed()
    }).map(i128::abs).collect();
    let rate = late.len() as f64 / (given[late.len()] - given[0]).as_secs_f64();
    println!("{{\"late\": {late:?}, \"rate\": {rate}}}");
}
