//! How much each cause took of many wake-ups.

use super::rows::CauseRow;
use crate::event::Priority;
use crate::names::Names;
use crate::segment::{Cause, Occupant, WakeUp};
use std::collections::BTreeMap;

/// The most names for which totals are kept: a machine that runs for days starts processes without end,
/// and some name their threads with a number. What comes later counts as [`OTHERS`].
const MOST_NAMES: usize = 4_096;

/// What comes after the last name for which there is room.
const OTHERS: &str = "others";

/// A cause, what brought it about, and with which priority.
type Key = (Cause, String, Option<Priority>);

#[derive(Debug, Clone, Default)]
struct Total {
    wakeups: usize,
    runs: usize,
    total_ns: u64,
    max_ns: u64,
    longest_ns: u64,
}

/// The totals of every cause.
#[derive(Debug, Clone, Default)]
pub(super) struct Causes(BTreeMap<Key, Total>);

impl Causes {
    pub(super) fn note(&mut self, wake_up: &WakeUp, names: &Names) {
        for (key, one) in of_one(wake_up, names) {
            let key = match self.0.len() >= MOST_NAMES && !self.0.contains_key(&key) {
                true => (key.0, OTHERS.to_owned(), None),
                false => key,
            };
            let total = self.0.entry(key).or_default();
            total.wakeups += 1;
            total.runs += one.runs;
            total.total_ns = total.total_ns.saturating_add(one.total_ns);
            total.max_ns = total.max_ns.max(one.total_ns);
            total.longest_ns = total.longest_ns.max(one.longest_ns);
        }
    }

    /// The greatest first; their shares are of this lateness.
    pub(super) fn rows(&self, lateness_ns: u64) -> Vec<CauseRow> {
        let row = |((cause, occupant, priority), total): (&Key, &Total)| CauseRow {
            cause: *cause,
            occupant: occupant.clone(),
            priority: priority.map(|priority| priority.to_string()),
            wakeups: total.wakeups,
            runs: total.runs,
            total_ns: total.total_ns,
            max_ns: total.max_ns,
            longest_ns: total.longest_ns,
            share: total.total_ns as f64 / lateness_ns.max(1) as f64,
        };
        let mut rows: Vec<_> = self.0.iter().map(row).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.total_ns));
        rows
    }
}

/// How long each cause took in one wake-up, however many runs it has there.
fn of_one(wake_up: &WakeUp, names: &Names) -> BTreeMap<Key, Total> {
    let mut causes: BTreeMap<Key, Total> = BTreeMap::new();
    for (at, segment) in wake_up.timed_segments() {
        let occupant = match segment.occupant {
            Occupant::Thread(thread) if thread == wake_up.wait.thread => "itself".to_owned(),
            Occupant::Thread(thread) => names.thread_name(thread, at),
            other => other.name(names, at),
        };
        let one = causes
            .entry((segment.cause, occupant, segment.priority))
            .or_default();
        one.runs += 1;
        one.total_ns = one.total_ns.saturating_add(segment.ns);
        one.longest_ns = one.longest_ns.max(segment.ns);
    }
    causes
}
