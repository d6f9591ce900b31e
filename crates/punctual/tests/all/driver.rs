//! The driver in virtual time, and on this computer without a look at how fast it is. On simulated
//! machines it is tested in `punctual-sim`.

mod calls;
mod ends;
mod futures;
mod itself;
mod model;
mod os;
mod overload;
mod repeats;
mod threadless;
mod threads;
mod ticks;
mod words;

use punctual::driver::Handle;
use punctual::os::VirtualOs;
use punctual::{Driver, Instant, Sleeper};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::task::Wake;
use std::time::Duration;

const MICROSECOND: Duration = Duration::from_micros(1);

fn at(micros: u64) -> Instant {
    Instant::from_nanos(micros * 1_000)
}

/// What callbacks wrote down, in order.
#[derive(Debug, Clone)]
struct Notes<T>(Arc<Mutex<Vec<T>>>);

impl<T> Default for Notes<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T: Clone> Notes<T> {
    fn push(&self, note: T) {
        self.0.lock().unwrap().push(note);
    }

    fn all(&self) -> Vec<T> {
        self.0.lock().unwrap().clone()
    }
}

/// A driver in virtual time, its machine, and what gives it timers.
fn driver() -> (VirtualOs, Driver<VirtualOs>, Handle<VirtualOs>) {
    let os = VirtualOs::new();
    let driver = Driver::on(os.clone());
    let timers = driver.handle();
    (os, driver, timers)
}

/// Runs a driver until something shuts it down, which happens at `end` at the latest.
fn run(os: &VirtualOs, driver: Driver<VirtualOs>, end: Instant) {
    let stop = driver.handle();
    driver
        .handle()
        .once(end, move |_| stop.shut_down())
        .unwrap();
    driver.run(&mut Sleeper::on(os.clone()));
}

/// Counts how often it is woken.
#[derive(Default)]
struct Count(AtomicU32);

impl Wake for Count {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}
