//! How many events a second the engine makes happen, through the public handle.
//!
//! An event is one wake-up: a thread reads the clock, waits on a bell with a timeout (uniform from
//! 1 ns to 2 ms), blocks, its timer comes, it is made ready, is dispatched to one of two processors
//! and runs. Dispatches, quanta and processor events are not counted on top.
//!
//! `cargo run --release --example events [-- WAKES [THREADS]]`

use punctual::Os;
use punctual_sim::random::Random;
use punctual_sim::{Plain, Setup, SimOs, simulate};
use std::time::{Duration, Instant};

const MOST_DELAY: u64 = 2_000_000;

fn main() {
    let mut arguments = std::env::args()
        .skip(1)
        .map(|argument| argument.parse::<u64>());
    let wakes = arguments
        .next()
        .map_or(5_000_000, |wakes| wakes.expect("a number of wake-ups"));
    let threads = match arguments.next() {
        Some(threads) => vec![threads.expect("a number of threads")],
        None => vec![2, 100, 1_000, 10_000],
    };
    let nanosecond = Duration::from_nanos(1);
    let cheap = Plain {
        look_cost: nanosecond,
        call_cost: nanosecond,
        ..Plain::default()
    };
    println!("calls of 1 ns, dispatches of 0 ns: the processors are nearly idle");
    for &threads in &threads {
        print(threads, wakes, cheap, Duration::ZERO);
    }
    println!("default costs: from 10,000 threads on the processors are overloaded");
    for &threads in &threads {
        print(
            threads,
            wakes,
            Plain::default(),
            Setup::default().dispatch_cost,
        );
    }
}

fn print(threads: u64, wakes: u64, plain: Plain, dispatch_cost: Duration) {
    let setup = Setup {
        dispatch_cost,
        ..Setup::default()
    };
    let run = simulate(setup, plain, move |os| measure(os, threads, wakes)).unwrap();
    let (seconds, wakes, virtual_seconds) = run.value;
    println!(
        "{threads:>7} threads: {:6.1} million events/s, {:6.1} ns each, {virtual_seconds:8.1} \
         virtual s",
        wakes as f64 / seconds / 1e6,
        seconds * 1e9 / wakes as f64,
    );
}

/// Host seconds, wake-ups, virtual seconds.
fn measure(os: SimOs, threads: u64, wakes: u64) -> (f64, u64, f64) {
    let each = wakes / threads;
    // Stacks are made before the clock starts.
    let go = os.bell();
    let handles: Vec<_> = (0..threads)
        .map(|thread| {
            let go = go.clone();
            let body = move || {
                os.wait(None, Duration::ZERO, &go);
                let bell = os.bell();
                let mut random = Random::stream(1, thread);
                for _ in 0..each {
                    let until = os.now() + Duration::from_nanos(random.between(1, MOST_DELAY));
                    os.wait(Some(until), Duration::ZERO, &bell);
                }
            };
            os.spawn("sleeper", Box::new(body)).unwrap()
        })
        .collect();
    let warm = os.bell();
    let until = os.now() + Duration::from_secs(1);
    os.wait(Some(until), Duration::ZERO, &warm);
    let began = Instant::now();
    let virtual_began = os.now();
    os.ring(&go);
    for handle in handles {
        handle.join(&os).unwrap();
    }
    (
        began.elapsed().as_secs_f64(),
        threads * each,
        os.now().duration_since(virtual_began).as_secs_f64(),
    )
}
