//! Waits of about the same length: they go as deep into idle states as each other, and take as long
//! to come out.

use super::bucket::Bucket;
use super::latencies::Latencies;
use super::rates::LateRate;
use super::turns::Turns;
use super::units::whole;

/// Up to 65 µs, then by a factor of 4 each, up to 268 ms, and all beyond. Processors' deepest idle
/// states are reached within milliseconds; beyond the last boundary there is nothing left to tell
/// apart.
pub(super) const CLASSES: usize = 8;

/// Boundaries are powers of four nanoseconds: common lengths (0.25, 1, 4, 16.7 ms) are just below
/// one, not at it.
const FIRST_BOUNDARY: usize = 8;

/// How many waits it takes for their usual spacing to be known anew.
const SPACING_MEMORY: f64 = 32.0;

/// A longer pause than this is not counted as spacing: what a second earns pays for the longest
/// margin with any budget above 3 %.
const LONGEST_SPACING: f64 = 1e9;

/// Waits after which a histogram tells its ninth tenth, which is where margins are that a small part of a budget pays for.
const YOUNG: f64 = 32.0;

pub(super) fn class_of(wait: u64) -> usize {
    let power_of_four = (wait.max(1).ilog2() / 2) as usize;
    (power_of_four + 1)
        .saturating_sub(FIRST_BOUNDARY)
        .min(CLASSES - 1)
}

#[derive(Debug, Clone)]
pub(super) struct Class {
    latencies: Latencies,
    /// It has waits of its own. Set by the first, even if that was spun whole: a class that kept
    /// borrowing another's margin could spin for as long as the other is not probed.
    used: bool,
    /// Waits still to be spun from beginning to end before the next probe.
    unprobed: u64,
    /// Nanoseconds from the end of one wait to the end of the next, on average.
    spacing: Option<f64>,
    /// The longest margin that makes fewer waits late than shorter ones, in nanoseconds.
    bearable: u64,
    /// The longest margin that fits the budget and is worth its spin, in nanoseconds.
    fitting: u64,
}

impl Class {
    pub(super) fn new(late_rate: LateRate) -> Self {
        Self {
            latencies: Latencies::new(late_rate),
            used: false,
            unprobed: 0,
            spacing: None,
            bearable: u64::MAX,
            fitting: u64::MAX,
        }
    }

    /// What a class without waits of its own may start from.
    pub(super) fn hint(&self) -> Self {
        Self {
            latencies: self.latencies.hint(),
            used: false,
            unprobed: 0,
            spacing: None,
            bearable: self.bearable,
            fitting: u64::MAX,
        }
    }

    pub(super) fn aim_at(&mut self, late_rate: LateRate) {
        self.latencies.aim_at(late_rate);
    }

    pub(super) fn is_new(&self) -> bool {
        !self.used
    }

    /// Whether each further wait still changes much of what it knows.
    pub(super) fn is_young(&self) -> bool {
        self.seen() < YOUNG
    }

    /// Waits that it has learned from since a change.
    pub(super) fn seen(&self) -> f64 {
        self.latencies.seen()
    }

    /// The latency that only late waits exceed, in nanoseconds.
    pub(super) fn usual(&self) -> u64 {
        self.latencies.margin()
    }

    /// In nanoseconds; the whole wait or more if nothing of it should be left to the system.
    pub(super) fn margin(&self, wait: u64) -> u64 {
        self.wanted(wait).min(self.fitting)
    }

    /// The margin if there were no budget.
    fn wanted(&self, wait: u64) -> u64 {
        let margin = self.latencies.margin().min(self.bearable);
        if margin < wait {
            margin
        } else if self.unprobed == 0 {
            // A probe. Half, so that the system's wait is still much like the others of its class.
            wait / 2
        } else {
            wait
        }
    }

    /// Learns from a wait that lost its processor in its spin or did not.
    pub(super) fn learn(&mut self, wait: u64, latency: Option<u64>, lost: bool) {
        self.used = true;
        let asked = self.latencies.margin();
        let fits = asked.min(self.bearable) < wait;
        // Judged by the margin that the late rate asks for, even if that is not to be had.
        let judged = if fits { asked } else { self.wanted(wait) };
        let late = latency.is_some_and(|latency| latency > judged);
        self.unprobed = if !fits && late {
            // One late wait in this many is what the late rate allows.
            whole(self.latencies.late_rate().recip())
        } else {
            self.unprobed.saturating_sub(1)
        };
        match latency {
            Some(latency) => self.latencies.learn(latency, late, lost),
            None => self.latencies.skip(lost),
        }
    }

    /// Finds the margin beyond which spins lose their processor more often than they save a wait
    /// from being late.
    pub(super) fn bear(&mut self, turns: &Turns) {
        self.bearable = self.latencies.bearable(turns.hazard());
    }

    /// Finds the longest margin that the bucket's present allowance pays for. If that is less than the late rate asks for, a
    /// shorter one that is about as good will do.
    pub(super) fn fit(&mut self, bucket: &Bucket, elapsed: u64) {
        let elapsed = (elapsed as f64).min(LONGEST_SPACING);
        let spacing = self
            .spacing
            .map_or(elapsed, |known| known + (elapsed - known) / SPACING_MEMORY);
        self.spacing = Some(spacing);
        self.fitting = self.latencies.affordable(bucket.allowance(spacing));
        let limit = self.fitting.min(self.bearable);
        if limit < self.latencies.margin() {
            self.fitting = self.latencies.worthwhile(limit);
        }
    }
}
