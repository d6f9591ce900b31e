//! Counts of latenesses in logarithmic bins, of which nothing fades.

use core::fmt;

/// 16 bins for each doubling: a bin is at most a sixteenth as wide as what is in it, so its middle
/// is off by at most a thirty-second.
const STEPS_LOG2: u32 = 4;
const STEPS: usize = 1 << STEPS_LOG2;

/// Up to 2^36 ns, 69 seconds. A thread that comes later than that was suspended with its machine, or
/// stopped in a debugger, and one bin is enough for all of those.
const LAST_OCTAVE: u32 = 36;

/// Latenesses below 16 ns have a bin each; every doubling from there on has 16.
const BINS: usize = STEPS + STEPS * (LAST_OCTAVE - STEPS_LOG2) as usize;

/// The last one holds all that is longer.
const LAST: usize = BINS - 1;

#[derive(Clone)]
pub(super) struct Histogram {
    bins: [u64; BINS],
    count: u64,
    worst: u64,
}

impl Histogram {
    /// Adds a lateness in nanoseconds.
    pub(super) fn add(&mut self, lateness: u64) {
        self.bins[bin_of(lateness)] += 1;
        self.count += 1;
        self.worst = self.worst.max(lateness);
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// The longest of all, exactly.
    pub(super) fn worst(&self) -> u64 {
        self.worst
    }

    /// The least lateness that this many percent of all do not exceed, within a thirty-second of
    /// itself. Of the last bin only the longest is known. Zero if there is none.
    pub(super) fn percentile(&self, percent: u64) -> u64 {
        // Split, so that no count is too large: ceil(count * percent / 100).
        let (hundreds, rest) = (self.count / 100, self.count % 100);
        let rank = hundreds * percent + (rest * percent).div_ceil(100);
        let mut below = 0;
        let bin = self.bins.iter().position(|count| {
            below += count;
            below >= rank
        });
        match bin {
            Some(LAST) | None => self.worst,
            Some(bin) => middle(bin).min(self.worst),
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

fn bin_of(lateness: u64) -> usize {
    let octave = lateness.max(1).ilog2();
    let shift = octave.saturating_sub(STEPS_LOG2);
    // The leading one of the mantissa is the next doubling's number.
    let bin = (u64::from(shift) << STEPS_LOG2) + (lateness >> shift);
    usize::try_from(bin).map_or(LAST, |bin| bin.min(LAST))
}

fn middle(bin: usize) -> u64 {
    let (row, step) = ((bin / STEPS).max(1), bin % STEPS);
    let mantissa = if bin < STEPS { step } else { STEPS + step };
    let least = (mantissa as u64) << (row - 1);
    least + ((1 << (row - 1)) >> 1)
}

impl Default for Histogram {
    fn default() -> Self {
        Self {
            bins: [0; BINS],
            count: 0,
            worst: 0,
        }
    }
}

impl fmt::Debug for Histogram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Histogram")
            .field("count", &self.count)
            .field("worst", &self.worst)
            .finish_non_exhaustive()
    }
}
