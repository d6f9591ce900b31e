//! The statistics of a loop's beats.

use crate::histogram::Histogram;
use crate::statistics::{Batches, Stretch};
use punctual::{Instant, Period};
use std::time::Duration;

/// The length of a window of the pace over time, unless there are too many windows.
const SECOND: Duration = Duration::from_secs(1);

/// The most windows that are kept: five minutes in seconds, or a day in windows of 512 s. A picture
/// has no more columns.
const MOST_STRETCHES: usize = 300;

/// A beat of a loop.
#[derive(Debug, Clone, Copy)]
pub struct Beat {
    /// When the loop began to wait for it.
    pub began: Instant,
    /// When it came.
    pub woke: Instant,
}

/// The results of one way.
#[derive(Debug, Clone)]
pub struct Pace {
    /// Its name.
    pub way: String,
    /// The intervals between two beats.
    pub intervals: Histogram,
    /// The waits themselves: from the end of the work to the beat.
    pub waits: Histogram,
    /// Missed periods of a schedule that starts at the first beat: no beat was nearest to them.
    pub missed: u64,
    /// Time for which the thread had a processor, with its work.
    pub processor: Duration,
    /// The pace second by second; for long runs, in windows of two, four… seconds.
    pub seconds: Batches<Second>,
    period: Period,
    first: Option<Instant>,
    last: Instant,
    /// The highest number of a period that had a beat.
    reached: u64,
    spread: Spread,
    /// The current second.
    second: Second,
    second_began: Instant,
}

/// What happened in one or several seconds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Second {
    /// The number of beats.
    pub beats: u64,
    /// Its length: whole intervals, so a little more than a second.
    pub elapsed: Duration,
    /// The longest interval between two beats.
    pub longest: Duration,
    /// Periods missed.
    pub missed: u64,
}

impl Stretch for Second {
    fn merge(&mut self, later: &Self) {
        self.beats += later.beats;
        self.elapsed += later.elapsed;
        self.longest = self.longest.max(later.longest);
        self.missed += later.missed;
    }
}

/// Mean and standard deviation of values that are added one by one. This is Welford's method, which
/// loses no digits in long runs.
#[derive(Debug, Clone, Default)]
pub struct Spread {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Spread {
    /// Adds one.
    pub fn add(&mut self, value: f64) {
        self.count += 1.0;
        let from_old = value - self.mean;
        self.mean += from_old / self.count;
        self.squares += from_old * (value - self.mean);
    }

    /// Their mean: zero of none.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// How far they are from it: the root of the mean square.
    pub fn deviation(&self) -> f64 {
        if self.count == 0.0 {
            return 0.0;
        }
        (self.squares / self.count).sqrt()
    }
}

impl Pace {
    /// A pace without beats.
    pub fn of(way: impl Into<String>, period: Period) -> Self {
        Self {
            way: way.into(),
            intervals: Histogram::new(),
            waits: Histogram::new(),
            missed: 0,
            processor: Duration::ZERO,
            seconds: Batches::at_most(MOST_STRETCHES),
            period,
            first: None,
            last: Instant::ZERO,
            reached: 0,
            spread: Spread::default(),
            second: Second::default(),
            second_began: Instant::ZERO,
        }
    }

    /// Adds a beat. Returns `true` if that ends a second.
    pub fn record(&mut self, Beat { began, woke }: Beat) -> bool {
        let Some(first) = self.first else {
            (self.first, self.last, self.second_began) = (Some(woke), woke, woke);
            return false;
        };
        let interval = woke.duration_since(self.last);
        let missed = self.periods_missed(woke.duration_since(first));
        self.last = woke;
        self.missed += missed;
        self.intervals.record(interval);
        self.waits.record(woke.duration_since(began));
        self.spread.add(interval.as_nanos() as f64);
        self.second.merge(&Second {
            beats: 1,
            elapsed: interval,
            longest: interval,
            missed,
        });
        let is_over = woke.duration_since(self.second_began) >= SECOND;
        if is_over {
            self.seconds.add(std::mem::take(&mut self.second));
            self.second_began = woke;
        }
        is_over
    }

    /// The number of periods without a nearest beat, between the furthest beat so far and this one.
    fn periods_missed(&mut self, since_first: Duration) -> u64 {
        let half = self.period.offset(1).unwrap_or(Duration::MAX) / 2;
        let nearest = self.period.index_after(since_first.saturating_add(half));
        let missed = nearest.saturating_sub(self.reached + 1);
        self.reached = self.reached.max(nearest);
        missed
    }

    /// The number of intervals between beats.
    pub fn beats(&self) -> u64 {
        self.intervals.count()
    }

    /// From the first counted beat to the last.
    pub fn elapsed(&self) -> Duration {
        self.first
            .map_or(Duration::ZERO, |first| self.last.duration_since(first))
    }

    /// The average interval, in nanoseconds; `None` before the second beat.
    pub fn average_ns(&self) -> Option<f64> {
        let beats = self.beats();
        (beats > 0).then(|| self.elapsed().as_nanos() as f64 / beats as f64)
    }

    /// By what share the average interval is longer than the requested period; negative if shorter.
    /// The period is exact, so a fraction of a nanosecond counts.
    pub fn error(&self) -> Option<f64> {
        let asked = self
            .period
            .offset(self.beats())
            .filter(|asked| !asked.is_zero())?;
        let (elapsed, asked) = (self.elapsed().as_nanos(), asked.as_nanos());
        let difference = elapsed as i128 - asked as i128;
        Some(difference as f64 / asked as f64)
    }

    /// The standard deviation of the intervals around their own average, in nanoseconds.
    pub fn jitter_ns(&self) -> f64 {
        self.spread.deviation()
    }

    /// The share of time for which the thread had a processor, with its work.
    pub fn processor_share(&self) -> f64 {
        let elapsed = self.elapsed();
        if elapsed.is_zero() {
            return 0.0;
        }
        self.processor.as_secs_f64() / elapsed.as_secs_f64()
    }
}
