//! Changes of regime, told from chance: load comes and goes, a power plan or a timer's resolution
//! changes.
//!
//! Latencies are not independent of each other. Whatever delays one wait, often a time slice of a
//! few milliseconds, delays the next few of a fast loop too; and starting again because of it would
//! lose what was known. So a change is believed only if independent waits would look like it with a
//! probability of 4e-12.

use super::histogram::Histogram;
use super::units::whole;

/// Twelve more late waits than punctual ones. If one wait in ten is late, a walk that leaves zero
/// gets this far with probability (1/9)^12 = 4e-12. Twelve 1 ms waits are longer than a time slice
/// (4 ms at 250 Hz, 10 ms at 100 Hz), and short enough to recognise a change within tens of waits.
const RISEN: u8 = 12;

/// Latencies have risen: steps up with every late wait and down with every punctual one, never
/// below zero.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Rise {
    height: u8,
    /// Waits since it left zero: the best guess at when the regime changed.
    length: usize,
}

impl Rise {
    /// How many of the latest waits belong to a new regime, if there is one.
    pub(super) fn step(&mut self, late: bool) -> Option<usize> {
        if late {
            self.height = self.height.saturating_add(1);
        } else {
            self.height = self.height.saturating_sub(1);
        }
        self.length = if self.height == 0 { 0 } else { self.length + 1 };
        (self.height >= RISEN).then_some(self.length)
    }
}

/// Latencies have fallen: a run of waits stayed far below what so many used to exceed.
#[derive(Debug, Clone)]
pub(super) struct Fall([Low; 3]);

#[derive(Debug, Clone)]
struct Low {
    /// The share of waits that used to exceed one and a half times the limit.
    exceed: f64,
    /// Waits in a run that make it a change: (1 - exceed)^waits = 4e-12.
    waits: usize,
    /// In nanoseconds.
    limit: u64,
    run: usize,
}

/// The bulk of latencies moves by tens of percent as processors change their frequency, which is
/// nothing to start again for; a margin that is twice too long is. Replayed, from 0.75 on it starts
/// again in the middle of recorded states.
const FAR_BELOW: f64 = 2.0 / 3.0;

impl Fall {
    /// Three are enough: the first sees within a dozen waits that all is faster, the second that
    /// the slower half is gone, the last that a tail is.
    pub(super) fn new() -> Self {
        Self(
            [(0.9, 12), (0.5, 38), (0.1, 249)].map(|(exceed, waits)| Low {
                exceed,
                waits,
                limit: 0,
                run: 0,
            }),
        )
    }

    /// How many of the latest waits belong to a new regime, if there is one.
    pub(super) fn step(&mut self, latency: u64) -> Option<usize> {
        let mut change = None;
        for low in &mut self.0 {
            low.run = if latency < low.limit { low.run + 1 } else { 0 };
            if low.run >= low.waits {
                change = Some(low.run);
            }
        }
        change
    }

    /// What is low is judged by the histogram as it was when a run began.
    pub(super) fn judge_by(&mut self, histogram: &Histogram) {
        for low in self.0.iter_mut().filter(|low| low.run == 0) {
            let exceeded = histogram.exceeded_by(low.exceed * histogram.count());
            low.limit = whole(FAR_BELOW * exceeded);
        }
    }
}
