//! The margin that meets a late rate, from the latencies seen so far.

use super::change::{Fall, Rise};
use super::histogram::{Bin, Histogram, LONGEST_MARGIN};
use super::rates::LateRate;
use super::units::whole;
use crate::instant::saturating_nanos;

/// A wait counts for a third of its weight once this many later ones should have been late.
///
/// The tail that sets the margin then rests on about 2 · 96 late waits, so the share of waits
/// beyond it wanders by 1/14. Replayed, a third of that costs 4 % more spin, and twice as much
/// saves less than 1 %.
const MEMORY: f64 = 96.0;

/// How much one late wait more than expected lowers the share of waits that the margin leaves late.
///
/// It repays an excess of late waits in the time it takes for 32 to be due, a third of the memory.
/// The account then wanders by ±4 by chance (its variance is 1 / (2 · gain)), less than what the
/// tail's own uncertainty does to the share.
const GAIN: f64 = 1.0 / 32.0;

/// The account strays this far about once in 400 times by chance, being three of its standard
/// deviations. Beyond that the histogram is a poor forecast, and fades faster.
const STRAYED: f64 = 12.0;

/// The account's bound: exp(±2), a share corrected seven-fold. Whatever a wait of the past owes, it
/// does not take more than that of the present ones.
const MOST_OWED: f64 = 64.0;

/// A histogram that fades by more than this with every wait would not hold enough of them to speak
/// of a tenth percentile.
const FASTEST_FADE: f64 = 0.1;

/// However few latencies there are, the margin leaves at least a tenth of them punctual.
const MOST_LATE: f64 = 0.9;

/// A latency is believed up to this many times the next smaller one, until there is a second like
/// it: where latencies come from one cause, the two largest of many are closer than that; where
/// they come from several, one is no sample.
const BELIEVED_ALONE: f64 = 2.0;

/// Between the largest and the second.
const ALONE: f64 = 1.5;

/// The share of the late rate that is left for late wake-ups, however many spins lose their
/// processor. A longer margin does nothing about those.
const LEAST_LEFT: f64 = 0.5;

/// The margin of the first wait of all: 0.2 ms. Linux wakes sooner than that (within 0.1 ms).
/// Windows' high-resolution timers take up to 0.6, so that one wait is late there. Replayed, a
/// first spin of 1 ms is a third of what 600 waits of a loop at 60 Hz spin.
const FIRST_MARGIN: u64 = 200_000;

/// The next latency is beyond all of n others one time in n + 1. A margin that is longer by twice
/// that share is beyond them a little. Replayed, half of it costs 1.5 % more spin: a late wait
/// among the first makes the account ask for caution.
const HEADROOM: f64 = 2.0;

/// Latencies kept one by one, to start again from. A walk that needs more than these to be believed
/// starts from its latest.
const RECENT: usize = 32;

/// Where the late rate is not to be had, a margin must leave fewer waits late than a shorter one does, by more than this
/// factor. A thread that spins for longer uses up more of its turn, and is late for that. Replayed on the recordings that it
/// was fitted to, 1.15 spins 6 to 43 % less than 1, and has 4 to 16 % fewer waits late; 1.1 spins more, and 1.2 is no better.
const WORTHWHILE: f64 = 1.15;

#[derive(Debug, Clone)]
pub(super) struct Latencies {
    late_rate: f64,
    histogram: Histogram,
    /// Waits in the histogram, faint ones included.
    seen: f64,
    recent: [Bin; RECENT],
    next: usize,
    /// Late waits less those that the late rate allowed.
    owed: f64,
    /// The share of waits that were late although they were woken in time.
    lost: f64,
    margin: u64,
    rise: Rise,
    fall: Fall,
}

impl Latencies {
    pub(super) fn new(late_rate: LateRate) -> Self {
        Self {
            late_rate: late_rate.share(),
            histogram: Histogram::new(),
            seen: 0.0,
            recent: [0; RECENT],
            next: 0,
            owed: 0.0,
            lost: 0.0,
            margin: FIRST_MARGIN,
            rise: Rise::default(),
            fall: Fall::new(),
        }
    }

    /// What waits of another length may start from: all of these, weighing as little as it takes to
    /// expect one late wait, so that the first late waits of their own outweigh them.
    pub(super) fn hint(&self) -> Self {
        let histogram = self.histogram.faded_to(1.0 / self.late_rate);
        Self {
            seen: histogram.count(),
            histogram,
            owed: 0.0,
            rise: Rise::default(),
            fall: Fall::new(),
            ..self.clone()
        }
    }

    /// Aims for another late rate from now on, by what it knows.
    pub(super) fn aim_at(&mut self, late_rate: LateRate) {
        self.late_rate = late_rate.share();
    }

    /// In nanoseconds.
    pub(super) fn margin(&self) -> u64 {
        self.margin
    }

    pub(super) fn seen(&self) -> f64 {
        self.seen
    }

    pub(super) fn late_rate(&self) -> f64 {
        self.late_rate
    }

    /// The largest margin, in nanoseconds, that costs no more than `spin` nanoseconds on average.
    pub(super) fn affordable(&self, spin: f64) -> u64 {
        // A margin can't cost more than its length, so most need not be looked up.
        if self.margin as f64 <= spin || self.seen == 0.0 {
            return u64::MAX;
        }
        whole(self.histogram.affordable(spin))
    }

    /// The margin, in nanoseconds, that makes the fewest waits late if each nanosecond of spinning
    /// makes so many late by itself.
    pub(super) fn bearable(&self, hazard: f64) -> u64 {
        if hazard == 0.0 || self.seen == 0.0 {
            return u64::MAX;
        }
        whole(self.histogram.least_late(hazard))
    }

    /// The shortest margin, in nanoseconds, that leaves hardly more waits late than this one.
    pub(super) fn worthwhile(&self, margin: u64) -> u64 {
        let late = self.histogram.exceeding(margin);
        whole(self.histogram.exceeded_by(WORTHWHILE * late)).min(margin)
    }

    /// A wait that left nothing to the system.
    pub(super) fn skip(&mut self, lost: bool) {
        self.settle(false, lost);
    }

    /// A wait that was late if the margin is all that counts, or lost its processor in its spin.
    pub(super) fn learn(&mut self, latency: u64, late: bool, lost: bool) {
        let change = if self.seen > 0.0 {
            self.settle(late, lost);
            self.rise.step(late).or(self.fall.step(latency))
        } else {
            None
        };
        let bin = Histogram::bin_of(latency);
        self.recent[self.next % RECENT] = bin;
        self.next = self.next.wrapping_add(1);
        self.histogram.add(bin, self.fade());
        self.seen += 1.0;
        if let Some(waits) = change {
            self.start_again(waits);
        }
        self.choose();
    }

    fn settle(&mut self, late: bool, lost: bool) {
        self.lost += GAIN * self.late_rate * (f64::from(u8::from(lost)) - self.lost);
        let change = f64::from(u8::from(late)) - self.allowed();
        self.owed = (self.owed + change).clamp(-MOST_OWED, MOST_OWED);
    }

    /// The share of waits that the system may wake too late.
    fn allowed(&self) -> f64 {
        (self.late_rate - self.lost).max(LEAST_LEFT * self.late_rate)
    }

    fn fade(&self) -> f64 {
        let haste = (self.owed.abs() / STRAYED).max(1.0);
        (self.late_rate / MEMORY * haste * haste).min(FASTEST_FADE)
    }

    /// Forgets all but the latest waits.
    fn start_again(&mut self, waits: usize) {
        let waits = waits.min(RECENT);
        self.histogram = Histogram::new();
        for back in (1..=waits).rev() {
            let bin = self.recent[self.next.wrapping_sub(back) % RECENT];
            self.histogram.add(bin, self.fade());
        }
        self.seen = waits as f64;
        self.rise = Rise::default();
        self.fall = Fall::new();
    }

    fn choose(&mut self) {
        let count = self.histogram.count();
        let late = self.allowed() * (-GAIN * self.owed).exp() * count;
        let most = MOST_LATE * count;
        let largest = self.histogram.exceeded_by(late.min(most));
        let margin = if late >= ALONE {
            largest
        } else {
            let second = self.histogram.exceeded_by(ALONE.min(most));
            largest.min(BELIEVED_ALONE * second)
        };
        let headroom = 1.0 + HEADROOM / self.seen;
        self.margin = whole(margin * headroom).min(saturating_nanos(LONGEST_MARGIN));
        self.fall.judge_by(&self.histogram);
    }
}
