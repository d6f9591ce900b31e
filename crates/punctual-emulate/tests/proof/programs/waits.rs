//! Waits in Rust's standard library, and how long each took: waits ENTRY NANOSECONDS COUNT.

use std::sync::mpsc::channel;
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};
use std::{env, thread};

fn main() {
    let arguments: Vec<String> = env::args().collect();
    let length = Duration::from_nanos(arguments[2].parse().unwrap());
    let count: usize = arguments[3].parse().unwrap();
    let took = match arguments[1].as_str() {
        "sleep" => repeat(count, || thread::sleep(length)),
        "park" => repeat(count, || thread::park_timeout(length)),
        "condvar" => {
            let (never, lock) = (Condvar::new(), Mutex::new(()));
            repeat(count, || drop(never.wait_timeout(lock.lock().unwrap(), length)))
        }
        "channel" => {
            let (_sender, receiver) = channel::<()>();
            repeat(count, || drop(receiver.recv_timeout(length)))
        }
        other => panic!("{other}"),
    };
    for length in took {
        println!("{}", length.as_nanos());
    }
}

fn repeat(count: usize, wait: impl Fn()) -> Vec<Duration> {
    let timed = || {
        let begin = Instant::now();
        wait();
        begin.elapsed()
    };
    (0..count).map(|_| timed()).collect()
}
