//! Timers that are started and given up before they fire, as most are, from several threads.

use crate::failure::Failure;
use crate::statistics::per_second;
use punctual::driver::{Handle, Sleep};
use punctual::{Driver, Native};
use punctual_data::quantity::whole_nanos;
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::{Arc, Barrier};
use std::task::{Context, Waker};
use std::thread;
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Runtime};

/// What threads do over and over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Gives the driver a callback and cancels it.
    OnceAndCancel,
    /// Makes a future, polls it, and drops it.
    Sleep,
    /// The future that takes the place of tokio's, the same.
    Adapter,
    /// tokio's future, the same.
    Tokio,
}

/// Of all threads together.
const OPERATIONS: u64 = 3_000_000;
const QUICK_OPERATIONS: u64 = 500_000;

/// Timers that wait meanwhile, for both: neither queue is ever empty.
const WAITING: u64 = 1_000;

/// Further off than all that waits meanwhile is what is started and given up.
const SOONEST: Duration = Duration::from_secs(100);
const SPAN: Duration = Duration::from_secs(17);

impl Operation {
    pub const ALL: [Self; 4] = [Self::OnceAndCancel, Self::Sleep, Self::Adapter, Self::Tokio];

    /// The place of tokio's: all before it are ours.
    pub const TOKIO: usize = 3;

    pub fn name(self) -> &'static str {
        match self {
            Self::OnceAndCancel => "once + cancel",
            Self::Sleep => "sleep, polled, dropped",
            Self::Adapter => "punctual-tokio: sleep",
            Self::Tokio => "tokio: sleep, polled, dropped",
        }
    }

    /// How often a second so many threads do it, all together.
    pub fn per_second(self, threads: usize, quick: bool) -> Result<f64, Failure> {
        let operations = if quick { QUICK_OPERATIONS } else { OPERATIONS };
        let each = operations / threads as u64;
        let took = match self {
            Self::OnceAndCancel => on_driver(threads, move |timers| once_and_cancel(timers, each)),
            Self::Sleep => on_driver(threads, move |timers| sleep(timers, each)),
            Self::Adapter => on_runtime(threads, each, punctual_tokio::sleep),
            Self::Tokio => on_runtime(threads, each, tokio::time::sleep),
        }?;
        Ok(per_second(each * threads as u64, took))
    }
}

/// When the timer of this number comes: spread over a while, always the same.
fn delay(number: u64) -> Duration {
    // The golden ratio's bits scatter consecutive numbers evenly.
    let scattered = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 30;
    SOONEST + Duration::from_nanos(scattered % whole_nanos(SPAN))
}

fn once_and_cancel(timers: &Handle, each: u64) {
    let os = Native::new();
    for number in 0..each {
        let deadline = os.now() + delay(number);
        if let Ok(timer) = timers.once(deadline, |_| ()) {
            timer.cancel();
        }
    }
}

fn sleep(timers: &Handle, each: u64) {
    let mut context = Context::from_waker(Waker::noop());
    for number in 0..each {
        let mut sleep = timers.sleep(delay(number));
        assert!(Pin::new(&mut sleep).poll(&mut context).is_pending());
    }
}

/// How long so many threads take, from when all are there until the last is through.
fn on_driver(
    threads: usize,
    body: impl Fn(&Handle) + Send + Clone + 'static,
) -> Result<Duration, Failure> {
    let driver = Driver::new().start()?;
    let timers = driver.handle();
    let mut context = Context::from_waker(Waker::noop());
    let mut waiting: Vec<Sleep> = (0..WAITING)
        .map(|number| timers.sleep(Duration::from_secs(20 + number % 70)))
        .collect();
    for sleep in &mut waiting {
        assert!(Pin::new(sleep).poll(&mut context).is_pending());
    }
    let start = Arc::new(Barrier::new(threads + 1));
    let all: Vec<_> = (0..threads)
        .map(|_| {
            let (timers, start, body) = (timers.clone(), Arc::clone(&start), body.clone());
            thread::spawn(move || {
                start.wait();
                body(&timers);
            })
        })
        .collect();
    start.wait();
    let began = Instant::now();
    for thread in all {
        thread.join().map_err(|_| "a thread panicked")?;
    }
    Ok(began.elapsed())
}

/// As many tasks as workers, on the runtime that a program with so many threads would have.
fn on_runtime<F: Future<Output = ()> + 'static>(
    threads: usize,
    each: u64,
    sleep: fn(Duration) -> F,
) -> Result<Duration, Failure> {
    let runtime = runtime(threads)?;
    runtime.block_on(async {
        let mut context = Context::from_waker(Waker::noop());
        let mut waiting: Vec<_> = (0..WAITING)
            .map(|number| Box::pin(sleep(Duration::from_secs(20 + number % 70))))
            .collect();
        for sleep in &mut waiting {
            assert!(sleep.as_mut().poll(&mut context).is_pending());
        }
        let began = Instant::now();
        let all: Vec<_> = (0..threads)
            .map(|_| tokio::spawn(async move { sleep_on_runtime(each, sleep) }))
            .collect();
        for task in all {
            task.await?;
        }
        Ok(began.elapsed())
    })
}

pub fn runtime(threads: usize) -> Result<Runtime, Failure> {
    let mut builder = if threads == 1 {
        Builder::new_current_thread()
    } else {
        Builder::new_multi_thread()
    };
    if threads > 1 {
        builder.worker_threads(threads);
    }
    Ok(builder.enable_time().build()?)
}

fn sleep_on_runtime<F: Future<Output = ()>>(each: u64, sleep: fn(Duration) -> F) {
    let mut context = Context::from_waker(Waker::noop());
    for number in 0..each {
        let mut sleep = pin!(sleep(delay(number)));
        assert!(sleep.as_mut().poll(&mut context).is_pending());
    }
}
