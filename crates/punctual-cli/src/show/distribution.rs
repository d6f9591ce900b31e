//! A bar for each distribution of durations, on one logarithmic scale for all.

use super::nanos;
use super::series::METHOD_WIDTH;
use crate::escape::escaped;
use crate::text::Text;
use std::io;

/// The width of a bar: 80 columns without the name.
const WIDTH: usize = 63;

/// From nothing to all. Anything that occurred is visible.
const HEIGHTS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// A distribution to draw.
pub struct Bar<'a> {
    pub name: &'a str,
    /// Pairs of a duration in nanoseconds and its count.
    pub counts_by_ns: &'a [(u64, u64)],
}

/// The ends of the scale, in nanoseconds: each column is the same ratio.
#[derive(Debug, Clone, Copy)]
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    /// Whole decades that contain everything that occurred. Latenesses below 10 ns share the first
    /// column.
    fn around(distributions: &[Bar<'_>]) -> Self {
        let values = || distributions.iter().flat_map(|one| one.counts_by_ns);
        let least = values().map(|&(nanos, _)| nanos).min().unwrap_or(0).max(10);
        let most = values()
            .map(|&(nanos, _)| nanos)
            .max()
            .unwrap_or(0)
            .max(least + 1);
        Self {
            low: 10_f64.powf((least as f64).log10().floor()),
            high: 10_f64.powf((most as f64).log10().ceil()),
        }
    }

    fn decades(self) -> f64 {
        (self.high / self.low).log10()
    }

    /// The column of a value.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped first"
    )]
    fn column(self, nanos: u64) -> usize {
        let position = (nanos as f64 / self.low).log10() / self.decades();
        let last = (WIDTH - 1) as f64;
        (position * WIDTH as f64).clamp(0.0, last) as usize
    }

    /// A label at each decade with enough room.
    fn labels(self) -> String {
        let mut line = String::new();
        let mut decade = self.low;
        while decade < self.high * 0.99 {
            let column = self.column(round(decade));
            if column >= line.chars().count() {
                let gap = column - line.chars().count();
                line += &" ".repeat(gap);
                line += &format!("├{} ", short(round(decade)));
            }
            decade *= 10.0;
        }
        line
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a power of ten"
)]
fn round(decade: f64) -> u64 {
    decade.round() as u64
}

/// A power of ten without a fraction: `10 µs`.
fn short(decade: u64) -> String {
    nanos(decade).replace(".00", "").replace(".0", "")
}

/// Writes the scale and the bars.
pub fn bars(out: &mut Text, distributions: &[Bar<'_>]) -> io::Result<()> {
    let scale = Scale::around(distributions);
    writeln!(out, "{:METHOD_WIDTH$} {}", "", scale.labels().trim_end())?;
    for one in distributions {
        let bar = bar(scale, one.counts_by_ns);
        let name = escaped(one.name);
        writeln!(out, "{name:METHOD_WIDTH$} {}", bar.trim_end())?;
    }
    Ok(())
}

fn bar(scale: Scale, counts_by_ns: &[(u64, u64)]) -> String {
    let mut columns = [0_u64; WIDTH];
    for &(nanos, count) in counts_by_ns {
        columns[scale.column(nanos)] += count;
    }
    let most = columns.iter().copied().max().unwrap_or(0).max(1);
    columns.map(|count| height(count, most)).iter().collect()
}

fn height(count: u64, most: u64) -> char {
    let highest = (HEIGHTS.len() - 1) as u64;
    let step = (count * highest).div_ceil(most).min(highest);
    HEIGHTS[usize::try_from(step).unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCALE: Scale = Scale {
        low: 10.0,
        high: 10_000_000.0,
    };

    #[test]
    fn whatever_occurred_is_seen_and_the_most_frequent_is_highest() {
        let bar = bar(SCALE, &[(45, 999), (3_000_000, 1)]);
        assert_eq!(bar.chars().count(), WIDTH);
        assert_eq!(bar.chars().filter(|&height| height == '█').count(), 1);
        assert_eq!(bar.chars().filter(|&height| height == '▁').count(), 1);
    }

    #[test]
    fn values_beyond_the_scale_fall_in_its_end_columns() {
        assert_eq!(SCALE.column(0), 0);
        assert_eq!(SCALE.column(10), 0);
        assert_eq!(SCALE.column(u64::MAX), WIDTH - 1);
    }

    #[test]
    fn labels_stand_at_their_columns_and_fit() {
        let labels = SCALE.labels();
        let at = labels
            .chars()
            .position(|character| character == '├')
            .unwrap();
        assert_eq!(at, 0);
        let microsecond = labels.split("├1 µs").next().unwrap().chars().count();
        assert_eq!(microsecond, SCALE.column(1_000));
        assert!(labels.trim_end().chars().count() <= WIDTH, "{labels}");
    }
}
