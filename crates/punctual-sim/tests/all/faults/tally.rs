//! How much was tried: what happened in runs, and which faults they had. What never occurs is not tested.

use super::log::{Awaited, What};
use punctual::driver::Cancellation;
use punctual_sim::faults::{FaultCounts, FaultKind};
use std::collections::BTreeMap;
use std::fmt;

#[derive(Debug, Default)]
pub struct Tally(BTreeMap<String, u64>);

impl Tally {
    pub fn see(&mut self, log: &[What], faults: Option<&FaultCounts>) {
        for what in log {
            self.add(name(what), 1);
        }
        for kind in FaultKind::ALL {
            self.add(&fault(kind), faults.map_or(0, |faults| faults.of(kind)));
        }
    }

    fn add(&mut self, name: &str, count: u64) {
        match self.0.get_mut(name) {
            Some(counted) => *counted += count,
            None => drop(self.0.insert(name.to_owned(), count)),
        }
    }

    pub fn merge(&mut self, other: &Self) {
        other
            .0
            .iter()
            .for_each(|(name, count)| self.add(name, *count));
    }

    /// Adds a line that another process has written; `false` if it is none.
    pub fn read(&mut self, line: &str) -> bool {
        let parts = line
            .strip_prefix(MARK)
            .and_then(|line| line.trim().split_once(' '));
        let Some((count, name)) = parts else {
            return false;
        };
        let count = count.parse();
        count.is_ok_and(|count| {
            self.add(name, count);
            true
        })
    }

    /// A fault that never came.
    pub fn missing(&self) -> Option<FaultKind> {
        let came = |kind: &FaultKind| self.0.get(&fault(*kind)).is_some_and(|count| *count > 0);
        FaultKind::ALL.into_iter().find(|kind| !came(kind))
    }
}

/// What its lines begin with.
const MARK: &str = "# ";

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = self.0.iter();
        lines.try_for_each(|(name, count)| writeln!(f, "{MARK}{count:>12} {name}"))
    }
}

fn fault(kind: FaultKind) -> String {
    format!("fault: {kind:?}")
}

/// The kind of an event, and how it came out.
fn name(what: &What) -> &'static str {
    match what {
        What::Insert {
            repeats: Some(_), ..
        } => "timer: insert a repeating one",
        What::Insert { soon: true, .. } => "timer: insert one for soon",
        What::Insert { .. } => "timer: insert",
        What::Inserted { is_taken: true, .. } => "timer: inserted",
        What::Inserted { .. } => "timer: refused",
        What::Called { .. } => "timer: called",
        What::Ticked { tick, .. } if tick.missed > 0 => "timer: ticked, after missed ticks",
        What::Ticked { .. } => "timer: ticked",
        What::Ended { .. } => "timer: call ended",
        What::Dropped { .. } => "timer: dropped",
        What::Cancel { .. } => "timer: cancel",
        What::Cancelled { result, .. } => match result {
            Cancellation::Prevented => "timer: cancelled",
            Cancellation::UnderWay => "timer: cancelled under way",
            _ => "timer: too late to cancel",
        },
        What::Move { .. } => "timer: move",
        What::Moved { is_moved: true, .. } => "timer: moved",
        What::Moved { .. } => "timer: too late to move",
        What::Retune { .. } => "timer: change the period",
        What::Retuned { is_tuned: true, .. } => "timer: has another period",
        What::Retuned { .. } => "timer: has no period to change",
        What::Sleep { .. } => "wait: begin",
        What::Slept { end: Some(_), .. } => "wait: ended by time",
        What::Slept { .. } => "wait: ended by a bell",
        What::Ticker { .. } => "ticker: begin",
        What::TickOf {
            tick: Some(tick), ..
        } if tick.missed > 0 => "ticker: tick, after missed ticks",
        What::TickOf { tick: Some(_), .. } => "ticker: tick",
        What::TickOf { .. } => "ticker: ended",
        What::RingCancel { .. } => "bell: cancel",
        What::RungCancel { .. } => "bell: cancelled",
        What::ResetCancel { .. } => "bell: reset a cancel",
        What::WasReset { .. } => "bell: a cancel was reset",
        What::RingNotify { .. } => "bell: notify",
        What::RungNotify { .. } => "bell: notified",
        What::Await { .. } => "future: begin",
        What::Awaited { end, .. } => match end {
            Awaited::Ready(_) => "future: ready",
            Awaited::TimedOut => "future: timed out",
            Awaited::ShutDown => "future: shut down",
        },
        What::Popped { .. } => "queue: popped",
        What::Left { .. } => "queue: emptied",
        What::Count => "driver: count timers",
        What::Counted { .. } => "driver: counted timers",
        What::ShutDown { .. } => "driver: shut down",
        What::IsShutDown => "driver: was shut down",
        What::Served { .. } => "driver: served",
        What::Broken { .. } => "thread: panicked",
        What::Refused { .. } => "thread: refused",
        What::Over { .. } => "program: ended",
    }
}
