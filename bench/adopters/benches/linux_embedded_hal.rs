//! How much longer than 50 µs each of some delays takes that a driver asks for every 20 ms, in three seconds.

use embedded_hal::delay::DelayNs;
use linux_embedded_hal::Delay;
use std::time::{Duration, Instant};

fn main() {
    let delays: u32 = std::env::args().nth(1).and_then(|given| given.parse().ok()).expect("a number");
    let begun = Instant::now();
    let mut late = Vec::new();
    while begun.elapsed() < Duration::from_secs(3) {
        let next = Instant::now() + Duration::from_millis(20);
        for _ in 0..delays {
            let from = Instant::now();
            Delay.delay_us(50);
            late.push(from.elapsed().as_nanos().cast_signed() - 50_000);
        }
        std::thread::sleep(next.saturating_duration_since(Instant::now()));
    }
    println!("{{\"late\": {late:?}}}");
}
