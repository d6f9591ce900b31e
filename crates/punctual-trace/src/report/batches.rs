//! Windows of consecutive wake-ups. They show how much a cause varies within a trace, which tells a
//! change between two traces from chance.

use crate::segment::{Cause, WakeUp};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The most windows: enough to resample from, few enough to write down. It is even.
const MOST: usize = 64;

/// Some consecutive wake-ups that were explained.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Batch {
    /// How many.
    pub wakeups: u64,
    /// How long each cause took in all of them, in nanoseconds.
    pub ns_by_cause: BTreeMap<Cause, u64>,
}

impl Batch {
    fn add(&mut self, later: &Self) {
        self.wakeups += later.wakeups;
        for (&cause, &ns) in &later.ns_by_cause {
            let total = self.ns_by_cause.entry(cause).or_default();
            *total = total.saturating_add(ns);
        }
    }

    fn of(wake_up: &WakeUp) -> Self {
        let mut batch = Self {
            wakeups: 1,
            ..Self::default()
        };
        for segment in &wake_up.segments {
            let total = batch.ns_by_cause.entry(segment.cause).or_default();
            *total = total.saturating_add(segment.ns);
        }
        batch
    }
}

/// At most [`MOST`] windows, each of equally many wake-ups, except the last. When there would be more,
/// neighbours become one.
#[derive(Debug, Clone)]
pub(super) struct Batches {
    batches: Vec<Batch>,
    /// The number of wake-ups in a window.
    length: u64,
}

impl Default for Batches {
    fn default() -> Self {
        Self {
            batches: Vec::new(),
            length: 1,
        }
    }
}

impl Batches {
    pub(super) fn note(&mut self, wake_up: &WakeUp) {
        let new = Batch::of(wake_up);
        match self.batches.last_mut() {
            Some(last) if last.wakeups < self.length => last.add(&new),
            _ => {
                if self.batches.len() == MOST {
                    self.halve();
                }
                self.batches.push(new);
            }
        }
    }

    pub(super) fn rows(&self) -> Vec<Batch> {
        self.batches.clone()
    }

    fn halve(&mut self) {
        let pairs = self.batches.chunks(2).map(|pair| {
            let mut both = Batch::default();
            pair.iter().for_each(|batch| both.add(batch));
            both
        });
        self.batches = pairs.collect();
        self.length *= 2;
    }
}
