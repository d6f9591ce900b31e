//! Latencies in logarithmic bins, the older the fainter.

use std::fmt;
use std::time::Duration;

use super::units::single;

/// The longest margin, and so the longest spin of a single wait: 2^25 ns, about 33.6 ms.
///
/// The coarsest systems wake threads on a tick of 15.625 ms. This margin covers two ticks: a wake-up
/// that misses one and comes with the next. A wake-up that is later than that is not the timer's
/// fault, and no spin should wait for it.
pub const LONGEST_MARGIN: Duration = Duration::from_nanos(1 << LAST_OCTAVE);
const LAST_OCTAVE: u32 = 25;

/// 16 bins for each doubling: each is 3 to 6 % wide, about as wide as the bulk of an idle machine's
/// latencies is around its median. With 8, the percentiles just above that bulk were interpolated
/// visibly wrong; 32 gained nothing.
const STEPS_LOG2: u32 = 4;
const STEPS: usize = 1 << STEPS_LOG2;

/// Row 0 is linear, up to 2^10 ns: latencies below 1 µs are no longer than a system call. Each
/// further row is a doubling.
const LINEAR_LOG2: u32 = 10;
const ROWS: usize = (1 + LAST_OCTAVE - LINEAR_LOG2) as usize;
const BINS: usize = ROWS * STEPS;

/// Every number that a bin's name can have is a bin.
pub(super) type Bin = u8;
const _: () = assert!(BINS == 1 + Bin::MAX as usize);

/// A weight at which all weights are scaled back to start from one: their sums are still far from
/// the limits of an `f32`, and scaling is too rare to cost anything.
const HEAVY: f64 = 1e6;

/// Instead of shrinking what is old, which would touch every bin, each latency weighs more than the
/// one before.
#[derive(Clone)]
pub(super) struct Histogram {
    bins: [f32; BINS],
    rows: [Row; ROWS],
    /// Weight of the latest latency.
    weight: f64,
    total: f64,
}

/// The bins of a row together, so that not every bin need be visited.
#[derive(Clone, Copy, Default)]
struct Row {
    weight: f64,
    /// Sum of weight times latency, as if every latency were in the middle of its bin.
    moment: f64,
}

impl Histogram {
    pub(super) fn new() -> Self {
        Self {
            bins: [0.0; BINS],
            rows: [Row::default(); ROWS],
            weight: 1.0,
            total: 0.0,
        }
    }

    /// Latencies beyond the longest margin are in the last bin.
    pub(super) fn bin_of(latency: u64) -> Bin {
        let octave = latency.max(1).ilog2();
        let bin = if octave < LINEAR_LOG2 {
            latency >> (LINEAR_LOG2 - STEPS_LOG2)
        } else {
            let row = u64::from(1 + octave - LINEAR_LOG2);
            // The leading one of the mantissa is the next row's number.
            ((row - 1) << STEPS_LOG2) + (latency >> (octave - STEPS_LOG2))
        };
        Bin::try_from(bin).unwrap_or(Bin::MAX)
    }

    /// Adds a latency, after fading the others by the share `fade`.
    pub(super) fn add(&mut self, bin: Bin, fade: f64) {
        self.weight /= 1.0 - fade;
        if self.weight > HEAVY {
            self.scale(self.weight.recip());
            self.weight = 1.0;
        }
        let bin = usize::from(bin);
        self.bins[bin] += single(self.weight);
        self.rows[bin / STEPS].weight += self.weight;
        self.rows[bin / STEPS].moment += self.weight * middle(bin);
        self.total += self.weight;
    }

    /// How many of the latest latencies would weigh as much as all.
    pub(super) fn count(&self) -> f64 {
        self.total / self.weight
    }

    /// The same latencies, weighing no more than `count` of the latest.
    pub(super) fn faded_to(&self, count: f64) -> Self {
        let mut faded = self.clone();
        if self.count() > count {
            faded.scale(count / self.count());
        }
        faded
    }

    fn scale(&mut self, factor: f64) {
        for bin in &mut self.bins {
            *bin *= single(factor);
        }
        for row in &mut self.rows {
            row.weight *= factor;
            row.moment *= factor;
        }
        self.total *= factor;
    }

    /// The latency, in nanoseconds, that `count` of the latencies exceed, interpolated within its
    /// bin.
    pub(super) fn exceeded_by(&self, count: f64) -> f64 {
        let mut wanted = count * self.weight;
        for row in (0..ROWS).rev() {
            let here = self.rows[row].weight;
            if here <= wanted {
                wanted -= here;
                continue;
            }
            for bin in (row * STEPS..(row + 1) * STEPS).rev() {
                let here = f64::from(self.bins[bin]);
                if here > wanted {
                    let part = wanted / here;
                    return edge(bin + 1) - part * (edge(bin + 1) - edge(bin));
                }
                wanted -= here;
            }
            // Only rounding can tell the row from its bins.
            return edge(row * STEPS);
        }
        0.0
    }

    /// How many of the latencies, in weights of the latest, exceed a margin in nanoseconds.
    pub(super) fn exceeding(&self, margin: u64) -> f64 {
        let bin = usize::from(Self::bin_of(margin));
        let row = bin / STEPS;
        let longer: f64 = self.rows[row + 1..].iter().map(|row| row.weight).sum();
        let same: f64 = self.bins[bin + 1..(row + 1) * STEPS]
            .iter()
            .map(|&weight| f64::from(weight))
            .sum();
        let part = (edge(bin + 1) - margin as f64) / (edge(bin + 1) - edge(bin));
        (longer + same + part.clamp(0.0, 1.0) * f64::from(self.bins[bin])) / self.weight
    }

    /// The margin, in nanoseconds, that makes the fewest of these latencies late and spins no
    /// longer than `spin` on average; infinite if all margins do.
    pub(super) fn affordable(&self, spin: f64) -> f64 {
        let limit = spin * self.total;
        let mut below = Row::default();
        for row in 0..ROWS {
            let with = below.and(self.rows[row]);
            if with.spin(edge((row + 1) * STEPS)) > limit {
                return self.affordable_within(row, below, limit);
            }
            below = with;
        }
        f64::INFINITY
    }

    /// The margin, in nanoseconds, that makes the fewest of these latencies late, if `hazard` more are
    /// late for each nanosecond that is spun.
    pub(super) fn least_late(&self, hazard: f64) -> f64 {
        let mut below = Row::default();
        let (mut best, mut fewest) = (0.0, self.total);
        for row in (0..ROWS).filter(|&row| self.rows[row].weight > 0.0) {
            for bin in row * STEPS..(row + 1) * STEPS {
                let weight = f64::from(self.bins[bin]);
                if weight == 0.0 {
                    continue;
                }
                below = below.and(Row {
                    weight,
                    moment: weight * middle(bin),
                });
                let by_spinning = hazard * below.spin(edge(bin + 1));
                if by_spinning >= fewest {
                    return best;
                }
                let late = self.total - below.weight + by_spinning;
                if late < fewest {
                    (best, fewest) = (edge(bin + 1), late);
                }
            }
        }
        best
    }

    fn affordable_within(&self, row: usize, mut below: Row, limit: f64) -> f64 {
        for bin in row * STEPS..(row + 1) * STEPS {
            let weight = f64::from(self.bins[bin]);
            let with = below.and(Row {
                weight,
                moment: weight * middle(bin),
            });
            let (from, to) = (below.spin(edge(bin)), with.spin(edge(bin + 1)));
            if to > limit {
                let margin = edge(bin) + (limit - from) / (to - from) * (edge(bin + 1) - edge(bin));
                return margin.min(self.last_used(bin));
            }
            below = with;
        }
        edge((row + 1) * STEPS)
    }

    /// The end of the last bin with latencies in it, up to this one: a margin between there and
    /// here costs and gains nothing.
    fn last_used(&self, bin: usize) -> f64 {
        let used = (0..=bin).rev().find(|&bin| self.bins[bin] > 0.0);
        used.map_or(0.0, |bin| edge(bin + 1))
    }
}

impl Row {
    fn and(self, other: Self) -> Self {
        Self {
            weight: self.weight + other.weight,
            moment: self.moment + other.moment,
        }
    }

    /// What these latencies spin, all together, if the margin is beyond them.
    fn spin(self, margin: f64) -> f64 {
        self.weight * margin - self.moment
    }
}

/// The least latency of a bin, in nanoseconds.
fn edge(bin: usize) -> f64 {
    let (row, step) = (bin / STEPS, bin % STEPS);
    let mantissa = if row == 0 { step } else { STEPS + step };
    let shift = LINEAR_LOG2 - STEPS_LOG2;
    (mantissa << shift << row.saturating_sub(1)) as f64
}

fn middle(bin: usize) -> f64 {
    0.5 * (edge(bin) + edge(bin + 1))
}

impl fmt::Debug for Histogram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Histogram")
            .field("count", &self.count())
            .finish_non_exhaustive()
    }
}
