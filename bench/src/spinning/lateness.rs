//! What makes a wait late that spins: the system woke it late, something interrupted the spin, or the
//! way back to the caller took long because its code had left the caches.

use crate::failure::Failure;
use crate::progress::Progress;
use crate::statistics::LATE;
use fastrand::Rng;
use hdrhistogram::Histogram;
use punctual::margin::Margin;
use punctual::{Instant, Native, Sleeper};
use serde::Serialize;
use std::hint;
use std::time::Duration;

/// One way of waiting at one rate.
#[derive(Debug, Serialize)]
pub struct Row {
    pub rate_hertz: u32,
    pub way: &'static str,
    pub waits: u64,
    /// The system woke it after its deadline.
    pub woken_late_share: f64,
    /// It was awake in time, and its spin ended more than a microsecond late.
    pub interrupted_share: f64,
    /// Its spin ended in time, and the caller had the processor more than a microsecond late.
    pub returned_late_share: f64,
    pub spun_mean_ns: u64,
    /// From the reading that ended the wait to the caller's.
    pub return_p50_ns: u64,
    pub return_p99_ns: u64,
}

/// Long enough to be in time nearly always, here and on machines that wake later.
const MARGIN: Duration = Duration::from_micros(150);

/// How long before the deadline the caller runs its loop's body once, so that it is in the caches.
const REHEARSAL: Duration = Duration::from_micros(30);

/// A block of one way before the next has its turn.
const BLOCK: Duration = Duration::from_millis(200);

/// Rates, with their rounds: those that count, after one that warms up.
const RATES: [(u32, u32); 2] = [(100, 25), (1_000, 15)];

struct Way {
    name: &'static str,
    sleeper: Sleeper,
    rehearsed: bool,
    tally: Tally,
}

struct Tally {
    counts: bool,
    woken_late: u64,
    interrupted: u64,
    returned_late: u64,
    spun: Duration,
    returns: Histogram<u64>,
}

pub fn duration(one_in: u32) -> Duration {
    let blocks: u32 = RATES
        .iter()
        .map(|(_, rounds)| 1 + rounds.div_ceil(one_in))
        .sum();
    BLOCK * blocks * 4
}

/// All ways in turn, in short blocks.
pub fn measure(one_in: u32, progress: &Progress) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for (rate, rounds) in RATES {
        let mut ways = ways()?;
        for round in 0..=rounds.div_ceil(one_in) {
            for way in &mut ways {
                progress.announce(format!("{rate} Hz, {}", way.name));
                way.tally.counts = round > 0;
                way.block(rate);
                progress.advance(BLOCK);
            }
        }
        rows.extend(ways.into_iter().map(|way| way.row(rate)));
    }
    Ok(rows)
}

fn ways() -> Result<[Way; 4], Failure> {
    let fixed = || Sleeper::new().with_margin(Margin::fixed(MARGIN));
    let way = |name, sleeper, rehearsed| -> Result<Way, Failure> {
        Ok(Way {
            name,
            sleeper,
            rehearsed,
            tally: Tally::new()?,
        })
    };
    Ok([
        way("as it ships", Sleeper::new(), false)?,
        way("margin of 150 µs", fixed(), false)?,
        way("the same, rehearsed", fixed(), true)?,
        way("coarse", Sleeper::new().coarse(), false)?,
    ])
}

impl Way {
    /// Periods are drawn from 3/4 to 5/4, so that deadlines and the kernel's ticks have no phase in
    /// common.
    fn block(&mut self, rate_hertz: u32) {
        let os = Native::new();
        let period = Duration::from_secs(1) / rate_hertz;
        let mut random = Rng::new();
        self.sleeper.resume();
        let began = os.now();
        let mut deadline = began;
        while deadline.duration_since(began) < BLOCK {
            deadline += period.mul_f64(0.75 + random.f64() / 2.0);
            if os.now() >= deadline - REHEARSAL {
                continue;
            }
            let counts = self.tally.counts;
            if self.rehearsed {
                self.tally.counts = false;
                self.body(&os, deadline - REHEARSAL);
                self.tally.counts = counts;
            }
            self.body(&os, deadline);
        }
    }

    /// What a caller does: it waits, and then looks at the clock.
    #[inline(never)]
    fn body(&mut self, os: &Native, deadline: Instant) {
        let wake = self.sleeper.sleep_until(deadline);
        let returned = os.now();
        let (spun, lateness) = (wake.spun, wake.lateness());
        self.tally
            .add(spun, lateness, returned.duration_since(wake.woke));
    }

    fn row(self, rate_hertz: u32) -> Row {
        let tally = self.tally;
        let waits = tally.returns.len();
        let share = |count: u64| count as f64 / waits.max(1) as f64;
        Row {
            rate_hertz,
            way: self.name,
            waits,
            woken_late_share: share(tally.woken_late),
            interrupted_share: share(tally.interrupted),
            returned_late_share: share(tally.returned_late),
            spun_mean_ns: nanos(tally.spun) / waits.max(1),
            return_p50_ns: tally.returns.value_at_quantile(0.5),
            return_p99_ns: tally.returns.value_at_quantile(0.99),
        }
    }
}

impl Tally {
    fn new() -> Result<Self, Failure> {
        Ok(Self {
            counts: false,
            woken_late: 0,
            interrupted: 0,
            returned_late: 0,
            spun: Duration::ZERO,
            returns: Histogram::new(3)?,
        })
    }

    fn add(&mut self, spun: Duration, lateness: Duration, way_back: Duration) {
        if !hint::black_box(self.counts) {
            return;
        }
        self.spun += spun;
        self.returns.saturating_record(nanos(way_back));
        if spun.is_zero() {
            self.woken_late += 1;
        } else if lateness > LATE {
            self.interrupted += 1;
        } else if lateness + way_back > LATE {
            self.returned_late += 1;
        }
    }
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
