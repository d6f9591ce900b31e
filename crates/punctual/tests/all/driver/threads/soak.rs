//! Drivers under churn: threads insert, move and cancel callbacks, some of which panic; tasks sleep,
//! time out and are dropped; short-lived drivers come and go. What ends early, is lost, comes twice or
//! comes after a successful cancel is counted, and there must be none.
//!
//! `PUNCTUAL_SOAK=600` makes it last ten minutes. The seed is printed, but threads are scheduled by the
//! system, so it does not replay a run. Simulated machines do: see `punctual-sim`.

use fastrand::Rng;
use punctual::Window;
use punctual::driver::{Cancellation, Firing, Handle, Timer};
use punctual::{Driver, Instant, Native, Tick, block_on};
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

/// In every run of the tests.
const SHORT: Duration = Duration::from_millis(300);

/// More would only make each of them rarer.
const INSERTERS: u64 = 3;

/// How many callbacks an inserting thread keeps track of.
const MOST_ALIVE: usize = 2_000;

/// What must not happen, and what did, so that a count of zero means something.
#[derive(Debug, Default)]
struct Counts {
    early: AtomicU64,
    lost: AtomicU64,
    doubled: AtomicU64,
    after_cancel: AtomicU64,
    after_shutdown: AtomicU64,
    fired: AtomicU64,
    prevented: AtomicU64,
    moved: AtomicU64,
    panicked: AtomicU64,
    ticks: AtomicU64,
    slept: AtomicU64,
    timed_out: AtomicU64,
    drivers: AtomicU64,
}

impl Counts {
    fn broken(&self) -> [u64; 5] {
        let broken = [
            &self.early,
            &self.lost,
            &self.doubled,
            &self.after_cancel,
            &self.after_shutdown,
        ];
        broken.map(|count| count.load(Ordering::Relaxed))
    }
}

fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

/// A callback that is called once.
#[derive(Default)]
struct Life {
    calls: AtomicU32,
    /// The least of all deadlines it was given, in nanoseconds.
    earliest_ns: AtomicU64,
}

impl Life {
    fn called(&self, firing: Firing, counts: &Counts) {
        let earliest = Instant::from_nanos(self.earliest_ns.load(Ordering::SeqCst));
        if firing.woke < firing.deadline() || firing.woke < earliest {
            count(&counts.early);
        }
        if self.calls.fetch_add(1, Ordering::SeqCst) > 0 {
            count(&counts.doubled);
        }
        count(&counts.fired);
    }

    /// Whether it was lost, or came after it was prevented.
    fn judge(&self, was_prevented: bool, counts: &Counts) {
        match (self.calls.load(Ordering::SeqCst), was_prevented) {
            (0, false) => count(&counts.lost),
            (1.., true) => count(&counts.after_cancel),
            (0, true) => count(&counts.prevented),
            // A second call counted itself.
            (1.., false) => {}
        }
    }
}

/// One thread's callbacks that were inserted and not yet judged.
struct Inserter {
    timers: Handle,
    counts: Arc<Counts>,
    random: Rng,
    alive: VecDeque<(Timer, Arc<Life>)>,
    prevented: Vec<Arc<Life>>,
}

impl Inserter {
    fn window(&mut self) -> Window {
        let from = self.timers.now() + Duration::from_micros(self.random.u64(..20_000));
        Window::tolerating(from, Duration::from_micros(self.random.u64(..2_000)))
    }

    fn insert(&mut self) {
        let window = self.window();
        let life = Arc::new(Life::default());
        let earliest = window.earliest().as_nanos();
        life.earliest_ns.store(earliest, Ordering::SeqCst);
        let panics = self.random.u32(..100) == 0;
        let (called, counts) = (Arc::clone(&life), Arc::clone(&self.counts));
        let callback = move |firing| {
            called.called(firing, &counts);
            if panics {
                count(&counts.panicked);
                // No hook prints it.
                std::panic::resume_unwind(Box::new(()));
            }
        };
        let timer = self.timers.once(window, callback).unwrap();
        self.alive.push_back((timer, life));
    }

    fn cancel(&mut self) {
        let index = self.random.usize(..self.alive.len());
        let (timer, life) = self.alive.remove(index).expect("it is one of them");
        match timer.cancel() {
            Cancellation::Prevented => self.prevented.push(life),
            // It is called or has been, which is looked at in the end.
            _ => self.alive.push_back((timer, life)),
        }
    }

    fn relocate(&mut self) {
        let window = self.window();
        let (timer, life) = &self.alive[self.random.usize(..self.alive.len())];
        let earliest = window.earliest().as_nanos();
        life.earliest_ns.fetch_min(earliest, Ordering::SeqCst);
        if timer.reschedule(window) {
            count(&self.counts.moved);
        }
    }

    fn repeat(&self, ticks: u64, period: Duration) {
        let counts = Arc::clone(&self.counts);
        let (mut left, mut last) = (ticks, None);
        let callback = move |tick: Tick| {
            if tick.woke < tick.deadline {
                count(&counts.early);
            }
            if left == 0 || last.is_some_and(|last| tick.index <= last) {
                count(&counts.doubled);
            }
            (left, last) = (left.saturating_sub(1), Some(tick.index));
            count(&counts.ticks);
            match left {
                0 => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        };
        self.timers.every(period, callback).unwrap();
    }

    fn step(&mut self) {
        match self.random.u32(..100) {
            _ if self.alive.is_empty() => self.insert(),
            0..60 => self.insert(),
            60..80 => self.cancel(),
            80..95 => self.relocate(),
            95..97 => {
                let (ticks, micros) = (self.random.u64(1..5), self.random.u64(100..5_000));
                self.repeat(ticks, Duration::from_micros(micros));
            }
            // Bursts, with gaps in which the driver falls asleep.
            _ => thread::sleep(Duration::from_micros(self.random.u64(..5_000))),
        }
    }

    fn run(mut self, end: &AtomicBool) -> Self {
        while !end.load(Ordering::Relaxed) {
            self.step();
            while self.alive.len() > MOST_ALIVE {
                thread::sleep(Duration::from_millis(1));
                self.forget_called();
            }
            // Those that were prevented some time ago.
            if self.prevented.len() > MOST_ALIVE {
                self.prevented
                    .drain(..MOST_ALIVE / 2)
                    .for_each(|life| life.judge(true, &self.counts));
            }
        }
        self
    }

    fn forget_called(&mut self) {
        self.alive.retain(|(timer, life)| {
            let waits = life.calls.load(Ordering::SeqCst) == 0;
            // What has been called is never waiting again.
            if !waits && timer.cancel() == Cancellation::Prevented {
                count(&self.counts.doubled);
            }
            waits
        });
    }

    fn judge(&self) {
        for (_, life) in &self.alive {
            life.judge(false, &self.counts);
        }
        for life in &self.prevented {
            life.judge(true, &self.counts);
        }
    }
}

/// Sleeps, and sleeps that are given up.
fn sleep(timers: &Handle, counts: &Counts, mut random: Rng, end: &AtomicBool) {
    while !end.load(Ordering::Relaxed) {
        let (long, most) = (random.u64(..2_000), random.u64(..2_000));
        let (long, most) = (Duration::from_micros(long), Duration::from_micros(most));
        let begun = timers.now();
        let sleeping = timers.timeout(most, timers.sleep(long));
        let (expected, counter) = match block_on(&Native::new(), sleeping) {
            Ok(_) => (long, &counts.slept),
            Err(_) => (most, &counts.timed_out),
        };
        if timers.now() < begun + expected {
            count(&counts.early);
        }
        count(counter);
    }
}

/// Drivers that are shut down with callbacks in them.
fn come_and_go(counts: &Arc<Counts>, mut random: Rng, end: &AtomicBool) {
    while !end.load(Ordering::Relaxed) {
        let driver = Driver::new().start().unwrap();
        let over = Arc::new(AtomicBool::new(false));
        for _ in 0..random.u32(..20) {
            let (over, counts) = (Arc::clone(&over), Arc::clone(counts));
            let callback = move |_| {
                if over.load(Ordering::SeqCst) {
                    count(&counts.after_shutdown);
                }
            };
            let after = Duration::from_micros(random.u64(..3_000));
            driver.handle().after(after, callback).unwrap();
        }
        thread::sleep(Duration::from_micros(random.u64(..2_000)));
        driver.shut_down().unwrap();
        over.store(true, Ordering::SeqCst);
        count(&counts.drivers);
    }
}

fn length() -> Duration {
    match std::env::var("PUNCTUAL_SOAK") {
        Ok(seconds) => Duration::from_secs(seconds.parse().expect("PUNCTUAL_SOAK is in seconds")),
        Err(_) => SHORT,
    }
}

#[test]
fn under_churn_nothing_is_early_or_lost_or_comes_twice() {
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let driver = Driver::new().start().unwrap();
    let (timers, counts) = (driver.handle(), Arc::new(Counts::default()));
    let end = AtomicBool::new(false);
    let inserters = thread::scope(|scope| {
        let inserters: Vec<_> = (0..INSERTERS)
            .map(|number| Inserter {
                timers: timers.clone(),
                counts: Arc::clone(&counts),
                random: Rng::with_seed(seed.wrapping_add(number)),
                alive: VecDeque::new(),
                prevented: Vec::new(),
            })
            .map(|inserter| scope.spawn(|| inserter.run(&end)))
            .collect();
        let mut random = Rng::with_seed(!seed);
        let (first, second) = (random.fork(), random.fork());
        scope.spawn(|| sleep(&timers, &counts, first, &end));
        scope.spawn(|| come_and_go(&counts, second, &end));
        thread::sleep(length());
        end.store(true, Ordering::Relaxed);
        let ended = inserters.into_iter().map(|thread| thread.join().unwrap());
        ended.collect::<Vec<_>>()
    });
    while !timers.is_empty() {
        thread::yield_now();
    }
    driver.shut_down().unwrap();
    inserters.iter().for_each(Inserter::judge);
    println!("{counts:?}");
    assert_eq!(counts.broken(), [0; 5]);
    assert_eq!(
        timers.counters().panics,
        counts.panicked.load(Ordering::Relaxed)
    );
}
