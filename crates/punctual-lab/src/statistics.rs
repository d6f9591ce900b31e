//! Statistics of lateness.
//!
//! Two statistics are kept side by side. *Per wake*: how late each wake-up was. *Per deadline*: how
//! late each deadline was served, with those that passed while the thread still waited for an
//! earlier one. A tool with only the first skips the deadlines that it missed, and reports a stall
//! as orders of magnitude too small (coordinated omission).

mod batch;

use punctual_data::histogram::Histogram;
use std::time::Duration;

pub use batch::{Batch, Batches, Stretch};

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

    /// The share of time for which the thread had a processor.
    pub fn processor_share(&self) -> f64 {
        if self.elapsed.is_zero() {
            return 0.0;
        }
        self.processor.as_secs_f64() / self.elapsed.as_secs_f64()
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
}
