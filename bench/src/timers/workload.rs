//! What every structure is made to do, and how long it takes.

use super::structures::{Payload, Queue};
use crate::os::allocated_bytes;
use fastrand::Rng;
use punctual_data::quantity::whole_nanos;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Deadlines are spread evenly over this time, from a millisecond on, to the nanosecond.
pub const SPAN: Duration = Duration::from_secs(60);

const NANOS_PER_MILLISECOND: u64 = 1_000_000;

/// When the timer is due that stays in a queue that is never empty: a wheel of milliseconds in 32
/// bits can still tell.
const AFTER_ALL: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// While timers expire, time goes on in equal steps, of which each makes so many due on average, ...
const DUE_PER_STEP: u64 = 10;

/// ... but at least a millisecond, the tick of those that have one.
const SHORTEST_STEP: u64 = NANOS_PER_MILLISECOND;

/// With few timers everything is done over and over, until each operation was done so often.
pub const LEAST_OPERATIONS: u64 = 200_000;

/// With as many timers or more they are only inserted before it is timed, not done with all else
/// as well: that takes minutes, and what memory is still missing then is a small part of all.
pub const FILLED_ONLY_FROM: u64 = 10_000_000;

/// Nanoseconds for each of [`OPERATIONS`], and bytes for each timer.
pub type Figures = [f64; 5];

pub const OPERATIONS: [&str; 4] = ["insert", "cancel", "churn", "expire"];

/// So many operations, and how long they took together.
#[derive(Debug, Default)]
struct Phase {
    operations: u64,
    took: Duration,
}

#[derive(Debug, Default)]
struct Times {
    insert: Phase,
    cancel: Phase,
    churn: Phase,
    expire: Phase,
}

/// So many timers, and the seed of their deadlines.
#[derive(Debug, Clone, Copy)]
pub struct Workload {
    pub timers: u64,
    pub seed: u64,
    /// Everything but filling the queue is done with one timer in so many. If that is not each, it is
    /// done once.
    pub one_in: u64,
    /// One more timer stays in the queue, so that it never becomes empty.
    pub never_empty: bool,
}

impl Workload {
    /// Churns, empties and fills a queue over and over. The first time is not timed, so that memory
    /// is there: what the system takes to give a page is nobody's merit.
    pub fn run<Q: Queue>(self) -> Figures {
        let repetitions = if self.one_in == 1 {
            LEAST_OPERATIONS.div_ceil(self.timers)
        } else {
            1
        };
        let mut times = Times::default();
        let before = allocated_bytes();
        let keys = (0..self.timers).map(|_| None).collect();
        let of_keys = self.timers * size_of::<Option<Q::Key>>() as u64;
        Q::new().during(|queue| {
            let mut cycle = Cycle {
                queue,
                keys,
                random: Rng::with_seed(self.seed),
                now: 0,
            };
            if self.never_empty {
                let key = cycle.queue.insert(whole_nanos(AFTER_ALL), Payload::MIN);
                cycle.queue.release(key);
            }
            cycle.insert(self.timers);
            let bytes = allocated_bytes().saturating_sub(before + of_keys);
            if self.timers < FILLED_ONLY_FROM {
                cycle.run(1);
                cycle.insert(self.timers);
            }
            times.add(cycle.run(self.one_in));
            for _ in 1..repetitions {
                cycle.insert(self.timers);
                times.add(cycle.run(self.one_in));
            }
            let each =
                [times.insert, times.cancel, times.churn, times.expire].map(|it| it.each_ns());
            let [insert, cancel, churn, expire] = each;
            [
                insert,
                cancel,
                churn,
                expire,
                bytes as f64 / self.timers as f64,
            ]
        })
    }
}

impl Phase {
    fn add(&mut self, other: &Self) {
        self.operations += other.operations;
        self.took += other.took;
    }

    fn each_ns(&self) -> f64 {
        self.took.as_nanos() as f64 / self.operations as f64
    }
}

impl Times {
    fn add(&mut self, other: Self) {
        self.insert.add(&other.insert);
        self.cancel.add(&other.cancel);
        self.churn.add(&other.churn);
        self.expire.add(&other.expire);
    }
}

/// A queue, what it is given, and what time it is there. Each operation returns how often it was
/// done.
struct Cycle<'a, Q: Queue> {
    queue: &'a mut Q,
    keys: Vec<Option<Q::Key>>,
    random: Rng,
    now: u64,
}

impl<Q: Queue> Cycle<'_, Q> {
    /// Churns, cancels, inserts and expires one timer in so many. Begins with a full queue, and if
    /// that is every one, ends with an empty one.
    fn run(&mut self, one_in: u64) -> Times {
        let part = self.timers() / one_in;
        let churn = timed(|| self.churn(part));
        self.random.shuffle(&mut self.keys);
        let cancel = timed(|| self.cancel(part));
        if one_in == 1 {
            // Those that leave what was cancelled where it is get rid of it here.
            assert_eq!(self.expire(SPAN), 0, "what was cancelled does not expire");
        }
        let insert = timed(|| self.insert(part));
        for key in self.keys.iter_mut().filter_map(Option::take) {
            self.queue.release(key);
        }
        let expire = timed(|| self.expire(SPAN / u32::try_from(one_in).unwrap_or(u32::MAX)));
        if one_in == 1 {
            assert_eq!(expire.operations, self.timers(), "every timer expires");
        }
        Times {
            insert,
            cancel,
            churn,
            expire,
        }
    }

    fn timers(&self) -> u64 {
        self.keys.len() as u64
    }

    /// Inserts the first so many, which are not in the queue.
    fn insert(&mut self, timers: u64) -> u64 {
        for key in &mut self.keys[..index(timers)] {
            let deadline = self.now + delay(&mut self.random);
            *key = Some(self.queue.insert(deadline, Payload::MIN));
        }
        timers
    }

    fn churn(&mut self, times: u64) -> u64 {
        for _ in 0..times {
            let which = self.random.u64(..self.timers());
            let key = &mut self.keys[index(which)];
            if let Some(key) = key.take() {
                self.queue.cancel(key);
            }
            let deadline = self.now + delay(&mut self.random);
            *key = Some(self.queue.insert(deadline, Payload::MIN));
        }
        times
    }

    /// Cancels the first so many.
    fn cancel(&mut self, timers: u64) -> u64 {
        let keys = &mut self.keys[..index(timers)];
        for key in keys.iter_mut().filter_map(Option::take) {
            self.queue.cancel(key);
        }
        timers
    }

    fn expire(&mut self, span: Duration) -> u64 {
        let step = (DUE_PER_STEP * whole_nanos(SPAN) / self.timers()).max(SHORTEST_STEP);
        // Those that round to milliseconds have two to come late in.
        let end = self.now + whole_nanos(span) + 2 * NANOS_PER_MILLISECOND;
        let mut due = 0;
        while self.now < end {
            self.now += step;
            due += black_box(self.queue.expire(self.now));
        }
        due as u64
    }
}

fn timed(work: impl FnOnce() -> u64) -> Phase {
    let began = Instant::now();
    let operations = work();
    Phase {
        operations,
        took: began.elapsed(),
    }
}

/// Less than there are timers, which are in memory.
fn index(timers: u64) -> usize {
    usize::try_from(timers).unwrap_or(usize::MAX)
}

/// How long after now a timer comes.
fn delay(random: &mut Rng) -> u64 {
    random.u64(NANOS_PER_MILLISECOND..whole_nanos(SPAN))
}
