//! Divides a series into windows of time. They give a comparison the variation within a series, and
//! a picture its course.

use super::Turn;
use punctual_data::histogram::Histogram;
use std::collections::BTreeMap;
use std::mem;
use std::time::Duration;

/// The most batches of a series: enough to resample from, few enough to write down.
const MOST: usize = 64;

/// The results of some consecutive turns of a method.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Batch {
    /// How late deadlines were served, in nanoseconds rounded as [`Histogram`] rounds, each with
    /// its count; ascending.
    pub per_deadline: Vec<(u64, u64)>,
    /// Deadlines that passed while the thread was waiting for an earlier one.
    pub missed: u64,
    /// Time for which the thread had a processor.
    pub processor: Duration,
    /// How long it took.
    pub elapsed: Duration,
}

impl From<&Turn> for Batch {
    fn from(turn: &Turn) -> Self {
        let mut rounded = Histogram::new();
        for &lateness in &turn.per_deadline {
            rounded.record(lateness);
        }
        let nanos = |lateness: Duration| u64::try_from(lateness.as_nanos()).unwrap_or(u64::MAX);
        Self {
            per_deadline: rounded
                .occurrences()
                .map(|(lateness, count)| (nanos(lateness), count))
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
    pub(super) fn new() -> Self {
        Self::at_most(MOST)
    }
}

impl<T: Stretch> Batches<T> {
    /// No batches yet, and at most this many later: an even number.
    pub(crate) fn at_most(most: usize) -> Self {
        Self {
            batches: Vec::new(),
            most,
            turns_per_batch: 1,
            turns_in_last: 1,
        }
    }

    /// Adds what happened in the next turn.
    pub(crate) fn add(&mut self, turn: T) {
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
