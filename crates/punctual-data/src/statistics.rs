//! Statistics of lateness.
//!
//! Two statistics are kept side by side. *Per wake*: how late each wake-up was. *Per deadline*: how
//! late each deadline was served, with those that passed while the thread still waited for an
//! earlier one. A tool with only the first skips the deadlines that it missed, and reports a stall
//! as orders of magnitude too small (coordinated omission).

use crate::histogram::Histogram;
use crate::quantity::whole_nanos;
use crate::written;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::mem;
use std::time::Duration;

/// The results of one method.
#[derive(Debug, Clone)]
pub struct Series {
    /// The method's name.
    pub method: String,
    /// Wake-ups that came before their deadline.
    pub early: u64,
    /// Deadlines that passed while the thread was waiting for an earlier one.
    pub missed: u64,
    /// Time for which the thread had a processor.
    pub processor: Duration,
    /// How long the series took.
    pub elapsed: Duration,
    /// How late each wake-up was.
    pub per_wake: Histogram,
    /// How late each deadline was served, including missed deadlines.
    pub per_deadline: Histogram,
    /// Lateness of each wake-up, split; `None` if the system does not tell it.
    pub split: Option<Split>,
    /// The same in windows of time.
    pub batches: Batches,
}

/// The results of a turn of several waits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Turn {
    /// How late each deadline was served, including missed deadlines.
    pub per_deadline: Vec<Duration>,
    /// Deadlines that passed while the thread was waiting for an earlier one.
    pub missed: u64,
    /// Time for which the thread had a processor.
    pub processor: Duration,
    /// How long the turn took.
    pub elapsed: Duration,
}

/// The lateness of each wake-up, in two parts that add up to it.
#[derive(Debug, Clone, Default)]
pub struct Split {
    /// Until the thread was ready to run: the timer's part.
    pub timer: Histogram,
    /// Ready but not running: the queue's part.
    pub queue: Histogram,
}

impl Series {
    /// An empty series.
    pub fn new(method: impl Into<String>) -> Self {
        Self {
            method: method.into(),
            early: 0,
            missed: 0,
            processor: Duration::ZERO,
            elapsed: Duration::ZERO,
            per_wake: Histogram::new(),
            per_deadline: Histogram::new(),
            split: None,
            batches: Batches::new(),
        }
    }

    /// Adds a wake-up: how late it was and, if known, for how much of that the thread was ready but
    /// not running.
    pub fn record_wake(&mut self, lateness: Duration, queued: Option<Duration>) {
        self.per_wake.record(lateness);
        if let Some(queued) = queued {
            // The queue's account covers a little more than the wait, so it is limited to the
            // lateness.
            let queue = queued.min(lateness);
            let split = self.split.get_or_insert_default();
            split.queue.record(queue);
            split.timer.record(lateness - queue);
        }
    }

    /// Adds the results of a turn of several waits, apart from its wake-ups.
    pub fn record_turn(&mut self, turn: &Turn) {
        for &lateness in &turn.per_deadline {
            self.per_deadline.record(lateness);
        }
        self.missed += turn.missed;
        self.processor += turn.processor;
        self.elapsed += turn.elapsed;
        self.batches.add(Batch::from(turn));
    }

    /// Adds what happened later.
    pub fn merge(&mut self, later: Self) {
        self.early += later.early;
        self.missed += later.missed;
        self.processor += later.processor;
        self.elapsed += later.elapsed;
        self.per_wake.merge(&later.per_wake);
        self.per_deadline.merge(&later.per_deadline);
        if let Some(later) = later.split {
            let split = self.split.get_or_insert_default();
            split.timer.merge(&later.timer);
            split.queue.merge(&later.queue);
        }
        for batch in later.batches.as_slice() {
            self.batches.add(batch.clone());
        }
    }

    /// The share of time for which the thread had a processor.
    pub fn processor_share(&self) -> f64 {
        if self.elapsed.is_zero() {
            return 0.0;
        }
        self.processor.as_secs_f64() / self.elapsed.as_secs_f64()
    }
}

// Divides a series into windows of time. They give a comparison the variation within a series, and
// a picture its course.

/// The most batches of a series: enough to resample from, few enough to write down.
const MOST: usize = 64;

/// The results of some consecutive turns of a method.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Batch {
    /// How late deadlines were served, in nanoseconds rounded as [`Histogram`] rounds, each with
    /// its count; ascending.
    #[serde(rename = "per_deadline_counts_by_ns")]
    pub per_deadline: Vec<(u64, u64)>,
    /// Deadlines that passed while the thread was waiting for an earlier one.
    pub missed: u64,
    /// Time for which the thread had a processor.
    #[serde(rename = "processor_ns", with = "written::nanos")]
    pub processor: Duration,
    /// How long it took.
    #[serde(rename = "elapsed_ns", with = "written::nanos")]
    pub elapsed: Duration,
}

impl From<&Turn> for Batch {
    fn from(turn: &Turn) -> Self {
        let mut rounded = Histogram::new();
        for &lateness in &turn.per_deadline {
            rounded.record(lateness);
        }
        Self {
            per_deadline: rounded
                .occurrences()
                .map(|(lateness, count)| (whole_nanos(lateness), count))
                .collect(),
            missed: turn.missed,
            processor: turn.processor,
            elapsed: turn.elapsed,
        }
    }
}

/// What happened in a window of time.
pub trait Stretch {
    /// Adds what happened right after it.
    fn merge(&mut self, later: &Self);
}

impl Stretch for Batch {
    fn merge(&mut self, later: &Self) {
        let mut counts: BTreeMap<_, _> = mem::take(&mut self.per_deadline).into_iter().collect();
        for &(nanos, count) in &later.per_deadline {
            *counts.entry(nanos).or_insert(0) += count;
        }
        self.per_deadline = counts.into_iter().collect();
        self.missed += later.missed;
        self.processor += later.processor;
        self.elapsed += later.elapsed;
    }
}

/// The batches of a series. All have the same number of turns, except the last. Their number is
/// limited: when the limit is reached, neighbours are merged.
#[derive(Debug, Clone)]
pub struct Batches<T = Batch> {
    batches: Vec<T>,
    /// The most batches.
    most: usize,
    /// The number of turns in a batch.
    turns_per_batch: usize,
    /// The number of turns in the last batch.
    turns_in_last: usize,
}

impl Batches {
    /// No batches yet, and at most 64 later.
    fn new() -> Self {
        Self::at_most(MOST)
    }
}

impl<T: Stretch> Batches<T> {
    /// No batches yet, and at most this many later: an even number.
    pub fn at_most(most: usize) -> Self {
        Self {
            batches: Vec::new(),
            most,
            turns_per_batch: 1,
            turns_in_last: 1,
        }
    }

    /// Adds what happened in the next turn.
    pub fn add(&mut self, turn: T) {
        match self.batches.last_mut() {
            Some(last) if self.turns_in_last < self.turns_per_batch => {
                last.merge(&turn);
                self.turns_in_last += 1;
            }
            _ => self.begin_batch(turn),
        }
    }

    /// Every batch, in the order of time.
    pub fn as_slice(&self) -> &[T] {
        &self.batches
    }

    fn begin_batch(&mut self, turn: T) {
        if self.batches.len() == self.most {
            self.halve();
        }
        self.batches.push(turn);
        self.turns_in_last = 1;
    }

    fn halve(&mut self) {
        let mut merged: Vec<T> = Vec::with_capacity(self.most);
        for (index, batch) in mem::take(&mut self.batches).into_iter().enumerate() {
            match merged.last_mut() {
                Some(last) if index % 2 == 1 => last.merge(&batch),
                _ => merged.push(batch),
            }
        }
        self.batches = merged;
        self.turns_per_batch *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_split_adds_up_to_the_lateness() {
        let mut series = Series::new("any");
        let (short, long) = (Duration::from_nanos(30), Duration::from_nanos(100));
        series.record_wake(long, Some(short));
        series.record_wake(short, Some(long));
        let split = series.split.unwrap();
        assert_eq!(split.timer.max(), long - short);
        assert_eq!(split.queue.max(), short);
        assert_eq!(
            split.timer.mean() + split.queue.mean(),
            series.per_wake.mean()
        );
    }

    #[test]
    fn a_wake_without_an_account_of_the_queue_has_no_split() {
        let mut series = Series::new("any");
        series.record_wake(Duration::from_nanos(1), None);
        assert!(series.split.is_none());
    }

    #[test]
    fn the_processor_share_of_no_time_is_none() {
        assert_eq!(Series::new("any").processor_share(), 0.0);
    }

    fn turn(nanos: u64) -> Batch {
        Batch::from(&Turn {
            per_deadline: vec![Duration::from_nanos(nanos)],
            missed: 1,
            processor: Duration::from_nanos(2),
            elapsed: Duration::from_nanos(3),
        })
    }

    fn after(turns: u64) -> Batches {
        let mut batches = Batches::new();
        (0..turns).for_each(|index| batches.add(turn(index)));
        batches
    }

    #[test]
    fn a_later_pass_adds_to_an_earlier_one() {
        let pass = |nanos, queued| {
            let mut series = Series::new("any");
            let lateness = Duration::from_nanos(nanos);
            series.record_wake(lateness, queued);
            series.record_turn(&Turn {
                per_deadline: vec![lateness],
                missed: 1,
                processor: lateness,
                elapsed: lateness * 2,
            });
            series
        };
        let mut both = pass(10, None);
        both.merge(pass(30, Some(Duration::from_nanos(5))));
        assert_eq!((both.missed, both.processor_share()), (2, 0.5));
        assert_eq!((both.per_wake.count(), both.per_deadline.count()), (2, 2));
        assert_eq!(both.split.unwrap().queue.count(), 1);
        assert_eq!(both.batches.as_slice().len(), 2);
    }

    #[test]
    fn however_long_a_series_its_batches_are_few_and_lose_nothing() {
        for turns in [1, 2, 63, 64, 65, 127, 128, 129, 1_000, 1_025] {
            let batches = after(turns);
            let batches = batches.as_slice();
            assert!(batches.len() <= MOST && batches.len() as u64 >= turns.min(33));
            let missed: u64 = batches.iter().map(|batch| batch.missed).sum();
            let elapsed: Duration = batches.iter().map(|batch| batch.elapsed).sum();
            assert_eq!((missed, elapsed), (turns, Duration::from_nanos(3 * turns)));
            // One deadline per turn, with its number as its lateness: in order, and none twice.
            let seen = batches.iter().flat_map(|batch| &batch.per_deadline);
            assert!(seen.eq(&(0..turns).map(|nanos| (nanos, 1)).collect::<Vec<_>>()));
        }
    }

    #[test]
    fn all_batches_but_the_last_have_equally_many_turns() {
        let batches = after(1_000);
        let (last, full) = batches.as_slice().split_last().unwrap();
        assert!(full.iter().all(|batch| batch.missed == full[0].missed));
        assert!(last.missed <= full[0].missed);
    }

    #[test]
    fn deadlines_served_equally_late_are_counted_together() {
        let turn = Turn {
            per_deadline: [5, 7, 5].map(Duration::from_nanos).into(),
            ..Turn::default()
        };
        assert_eq!(Batch::from(&turn).per_deadline, [(5, 2), (7, 1)]);
    }
}
