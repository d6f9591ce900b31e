//! What a process can measure about its own waits, on any Windows, with the method of the article's
//! program.

use punctual::os::windows::Win32Error;
use punctual_data::histogram::Histogram;
use punctual_windows::os::windows::Win32Lab;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// A sample lasts until `timeGetTime` has advanced by this much.
const SAMPLE_MS: u32 = 1_000;

/// The number of steps of `timeGetTime` to look at. It is enough to see both lengths if the
/// interval is not a whole number of milliseconds. It is small because the search keeps a processor
/// busy.
const STEPS: usize = 4;

/// How often to start again after the interval has changed.
const ATTEMPTS: u32 = 3;

/// Long enough for every program that starts with the machine to make its request, and for the
/// request to take effect.
const SETTLING_MS: u32 = 100;

/// The results of one process.
#[derive(Debug, Clone)]
pub struct Measured {
    /// The interval in force.
    pub interval: Duration,
    /// The smallest and the largest step of `timeGetTime`.
    pub steps_ms: (u32, u32),
    /// The number of samples.
    pub samples: u32,
    /// Samples that were discarded because the interval changed.
    pub samples_thrown_away: u32,
    /// The duration of each `Sleep(1)` in them, by the performance counter.
    pub sleeps: Histogram,
    by_intervals: BTreeMap<u64, u64>,
}

/// Why there is no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Problem {
    /// The interval in force cannot be queried.
    NoResolution(Win32Error),
    /// Windows refused this process's own request.
    Refused(Win32Error),
    /// The interval kept changing.
    Unsteady,
}

/// Measures `Sleep(1)` over this many samples, as the article's program does: it waits until
/// `timeGetTime` changes, sleeps until it has advanced by 1000, and discards its samples if the
/// interval changed meanwhile.
///
/// # Errors
/// If the interval cannot be queried, or changes too often for this many samples.
pub fn measure<W: Win32Lab>(win32: &W, samples: u32) -> Result<Measured, Problem> {
    win32.sleep(SETTLING_MS);
    let mut thrown_away = 0;
    for _ in 0..ATTEMPTS {
        let mut measured = Measured::nothing(win32, samples)?;
        match measured.all_samples(win32)? {
            None => {
                measured.samples_thrown_away = thrown_away;
                return Ok(measured);
            }
            Some(of_another_interval) => thrown_away += of_another_interval,
        }
    }
    Err(Problem::Unsteady)
}

fn interval<W: Win32Lab>(win32: &W) -> Result<Duration, Problem> {
    const NANOS_PER_UNIT: u64 = 100;
    let resolution = win32.nt_query_timer_resolution();
    let units = resolution.map_err(Problem::NoResolution)?.current_time;
    Ok(Duration::from_nanos(u64::from(units) * NANOS_PER_UNIT))
}

/// The smallest and the largest of a few steps of `timeGetTime`; returns right after a step.
fn steps<W: Win32Lab>(win32: &W) -> Result<(u32, u32), Problem> {
    let mut before = next_change(win32)?;
    let (mut least, mut most) = (u32::MAX, 0);
    for _ in 0..STEPS {
        let after = next_change(win32)?;
        let step = after.wrapping_sub(before);
        (least, most) = (least.min(step), most.max(step));
        before = after;
    }
    Ok((least, most))
}

/// Waits until `timeGetTime` changes, and returns its new value. Querying the interval between
/// readings makes the readings ten times rarer, which is still three per microsecond.
fn next_change<W: Win32Lab>(win32: &W) -> Result<u32, Problem> {
    let before = win32.time_get_time();
    loop {
        let now = win32.time_get_time();
        if now != before {
            return Ok(now);
        }
        interval(win32)?;
    }
}

fn duration(counts: i64, frequency: i64) -> Duration {
    const NANOS_PER_SECOND: i128 = 1_000_000_000;
    let nanos = i128::from(counts) * NANOS_PER_SECOND / i128::from(frequency);
    Duration::from_nanos(u64::try_from(nanos).unwrap_or(0))
}

impl Measured {
    /// The start of a result: the interval in force, and no sleeps.
    fn nothing<W: Win32Lab>(win32: &W, samples: u32) -> Result<Self, Problem> {
        Ok(Self {
            interval: interval(win32)?,
            steps_ms: steps(win32)?,
            samples,
            samples_thrown_away: 0,
            sleeps: Histogram::new(),
            by_intervals: BTreeMap::new(),
        })
    }

    /// Takes every sample. If the interval changes, returns the number of samples taken, all of
    /// which are discarded.
    fn all_samples<W: Win32Lab>(&mut self, win32: &W) -> Result<Option<u32>, Problem> {
        // The first sleep synchronizes with the machine's ticks. Its length depends on the search
        // before it.
        win32.sleep(1);
        for taken in 1..=self.samples {
            self.sample(win32);
            if interval(win32)? != self.interval {
                return Ok(Some(taken));
            }
        }
        Ok(None)
    }

    /// What the article's program prints, before it rounds.
    pub fn article_mean_ms(&self) -> f64 {
        f64::from(self.samples * SAMPLE_MS) / self.sleeps.count() as f64
    }

    /// After how many intervals, rounded, `Sleep(1)` ended, each with its count.
    pub fn ended_after_intervals(&self) -> Vec<(u64, u64)> {
        let pairs = self.by_intervals.iter();
        pairs
            .map(|(&intervals, &count)| (intervals, count))
            .collect()
    }

    /// Sleeps until `timeGetTime` has advanced enough. It has just changed when this begins and
    /// when this ends, so samples can follow each other.
    fn sample<W: Win32Lab>(&mut self, win32: &W) {
        let frequency = win32.query_performance_frequency();
        let began = win32.time_get_time();
        let mut before = win32.query_performance_counter();
        while win32.time_get_time().wrapping_sub(began) < SAMPLE_MS {
            win32.sleep(1);
            let after = win32.query_performance_counter();
            self.record(duration(after - before, frequency));
            before = after;
        }
    }

    fn record(&mut self, sleep: Duration) {
        self.sleeps.record(sleep);
        let interval = self.interval.as_nanos();
        let intervals = (sleep.as_nanos() + interval / 2) / interval;
        let intervals = u64::try_from(intervals).unwrap_or(u64::MAX);
        *self.by_intervals.entry(intervals).or_default() += 1;
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoResolution(error) => write!(f, "cannot query the interval in force: {error}"),
            Self::Refused(error) => write!(f, "the system refused the request: {error}"),
            Self::Unsteady => f.write_str(
                "the interval in force keeps changing, because another program requests it again and \
                 again",
            ),
        }
    }
}

impl std::error::Error for Problem {}
