//! What every structure is made to do, and how long it takes.

use super::structures::{Payload, Queue};
use crate::failure::Failure;
use crate::os::allocated_bytes;
use crate::simulation::rates::Spread;
use serde::Serialize;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Deadlines are spread evenly over this time, from a millisecond on, to the nanosecond.
pub const SPAN: Duration = Duration::from_secs(60);

const NANOS_PER_MILLISECOND: u64 = 1_000_000;

/// While timers expire, time goes on in equal steps, of which each makes so many due on average, ...
const DUE_PER_STEP: u64 = 10;

/// ... but at least a millisecond, the tick of those that have one.
const SHORTEST_STEP: u64 = NANOS_PER_MILLISECOND;

/// With few timers everything is done over and over, until each operation was done so often.
pub const LEAST_OPERATIONS: u64 = 200_000;

/// Nanoseconds for each operation, and bytes for each timer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Figures {
    pub insert_ns: f64,
    pub cancel_ns: f64,
    pub churn_ns: f64,
    pub expire_ns: f64,
    pub bytes: f64,
}

/// How long each kind of operation took.
#[derive(Debug, Default)]
struct Times {
    insert: Duration,
    cancel: Duration,
    churn: Duration,
    expire: Duration,
}

/// So many timers, and the seed of their deadlines.
#[derive(Debug, Clone, Copy)]
pub struct Workload {
    pub timers: u64,
    pub seed: u64,
}

impl Workload {
    /// Fills, churns and empties a queue over and over. The first time is not timed, so that memory
    /// is there: what the system takes to give a page is nobody's merit.
    pub fn run<Q: Queue>(self) -> Figures {
        let repetitions = LEAST_OPERATIONS.div_ceil(self.timers);
        let mut times = Times::default();
        let before = allocated_bytes();
        let keys = (0..self.timers).map(|_| None).collect();
        let of_keys = self.timers * size_of::<Option<Q::Key>>() as u64;
        Q::new().during(|queue| {
            let mut cycle = Cycle {
                queue,
                keys,
                random: Random(self.seed),
                now: 0,
            };
            cycle.insert_all();
            let bytes = allocated_bytes().saturating_sub(before + of_keys);
            cycle.cancel_all();
            cycle.run();
            for _ in 0..repetitions {
                times.add(cycle.run());
            }
            let operations = (self.timers * repetitions) as f64;
            let each = |took: Duration| took.as_nanos() as f64 / operations;
            Figures {
                insert_ns: each(times.insert),
                cancel_ns: each(times.cancel),
                churn_ns: each(times.churn),
                expire_ns: each(times.expire),
                bytes: bytes as f64 / self.timers as f64,
            }
        })
    }
}

impl Figures {
    /// One figure of each kind, chosen from where those of all rounds lie.
    pub fn each(rounds: &[Self], choose: impl Fn(Spread) -> f64) -> Result<Self, Failure> {
        let one = |figure: fn(&Self) -> f64| {
            let spread = Spread::of(rounds.iter().map(figure).collect());
            spread.map(&choose).ok_or("there was no round")
        };
        Ok(Self {
            insert_ns: one(|figures| figures.insert_ns)?,
            cancel_ns: one(|figures| figures.cancel_ns)?,
            churn_ns: one(|figures| figures.churn_ns)?,
            expire_ns: one(|figures| figures.expire_ns)?,
            bytes: one(|figures| figures.bytes)?,
        })
    }
}

impl Times {
    fn add(&mut self, other: Self) {
        self.insert += other.insert;
        self.cancel += other.cancel;
        self.churn += other.churn;
        self.expire += other.expire;
    }
}

/// A queue, what it is given, and what time it is there.
struct Cycle<'a, Q: Queue> {
    queue: &'a mut Q,
    keys: Vec<Option<Q::Key>>,
    random: Random,
    now: u64,
}

impl<Q: Queue> Cycle<'_, Q> {
    fn run(&mut self) -> Times {
        let insert = timed(|| self.insert_all());
        let churn = timed(|| self.churn());
        self.random.shuffle(&mut self.keys);
        let cancel = timed(|| self.cancel_all());
        // Those that leave what was cancelled where it is get rid of it here.
        self.expire_all(0);
        self.insert_all();
        for key in self.keys.iter_mut().filter_map(Option::take) {
            self.queue.release(key);
        }
        let expire = timed(|| self.expire_all(self.keys.len()));
        Times {
            insert,
            cancel,
            churn,
            expire,
        }
    }

    fn insert_all(&mut self) {
        for key in &mut self.keys {
            let deadline = self.now + self.random.delay();
            *key = Some(self.queue.insert(deadline, Payload::MIN));
        }
    }

    fn churn(&mut self) {
        let timers = self.keys.len() as u64;
        for _ in 0..timers {
            let which = self.random.below(timers);
            let key = &mut self.keys[usize::try_from(which).unwrap_or(0)];
            if let Some(key) = key.take() {
                self.queue.cancel(key);
            }
            let deadline = self.now + self.random.delay();
            *key = Some(self.queue.insert(deadline, Payload::MIN));
        }
    }

    fn cancel_all(&mut self) {
        for key in self.keys.iter_mut().filter_map(Option::take) {
            self.queue.cancel(key);
        }
    }

    fn expire_all(&mut self, expected: usize) {
        let timers = self.keys.len() as u64;
        let step = (DUE_PER_STEP * nanos(SPAN) / timers).max(SHORTEST_STEP);
        // Those that round to milliseconds have two to come late in.
        let end = self.now + nanos(SPAN) + 2 * NANOS_PER_MILLISECOND;
        let mut due = 0;
        while self.now < end {
            self.now += step;
            due += black_box(self.queue.expire(self.now));
        }
        assert_eq!(due, expected, "every timer expires");
    }
}

fn timed(work: impl FnOnce()) -> Duration {
    let began = Instant::now();
    work();
    began.elapsed()
}

/// SplitMix64 (Steele, Lea and Flood, 2014): a nanosecond a number, the same for every structure.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// From zero to below the bound, as evenly as timing needs.
    fn below(&mut self, bound: u64) -> u64 {
        let wide = u128::from(self.next()) * u128::from(bound);
        u64::try_from(wide >> 64).unwrap_or(0)
    }

    fn delay(&mut self) -> u64 {
        NANOS_PER_MILLISECOND + self.below(nanos(SPAN) - NANOS_PER_MILLISECOND)
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last as u64 + 1);
            items.swap(last, usize::try_from(other).unwrap_or(0));
        }
    }
}

pub fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
