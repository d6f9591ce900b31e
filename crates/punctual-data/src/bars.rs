//! A bar for each distribution of durations, on one logarithmic scale for all.

use crate::escape::escaped;
use crate::quantity::decade;
use crate::scale::{Scale, decades, log};
use crate::table::NAME_WIDTH;
use crate::text::Text;
use std::io;
use std::ops::RangeInclusive;

/// The width of a bar: 80 columns without the name.
const WIDTH: usize = 63;

/// From nothing to all. Anything that occurred is visible.
const HEIGHTS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// A distribution to draw.
pub struct Bar<'a> {
    /// What stands before it.
    pub name: &'a str,
    /// Pairs of a duration in nanoseconds and its count.
    pub counts_by_ns: &'a [(u64, u64)],
}

/// The decades of the scale. Each column is the same ratio.
#[derive(Debug, Clone)]
struct Decades(RangeInclusive<i32>);

impl Decades {
    /// Whole decades that contain everything that occurred. Latenesses below 10 ns share the first
    /// column.
    fn around(distributions: &[Bar<'_>]) -> Self {
        let values = distributions.iter().flat_map(|one| one.counts_by_ns);
        Self(decades(values.map(|&(nanos, _)| nanos.max(10))))
    }

    /// The column of a value.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a place between the ends"
    )]
    fn column(&self, nanos: u64) -> usize {
        let scale = Scale::of_decades(&self.0, (0.0, WIDTH as f64));
        (scale.place(log(nanos)) as usize).min(WIDTH - 1)
    }

    /// A label at each decade with enough room.
    fn labels(&self) -> String {
        let mut line = String::new();
        for exponent in *self.0.start()..*self.0.end() {
            let column = self.column(10_u64.saturating_pow(exponent.unsigned_abs()));
            if column >= line.chars().count() {
                let gap = column - line.chars().count();
                line += &" ".repeat(gap);
                line += &format!("├{} ", decade(exponent));
            }
        }
        line
    }
}

/// Writes the scale and the bars.
pub fn bars(out: &mut Text, distributions: &[Bar<'_>]) -> io::Result<()> {
    let scale = Decades::around(distributions);
    writeln!(out, "{:NAME_WIDTH$} {}", "", scale.labels().trim_end())?;
    for one in distributions {
        let bar = bar(&scale, one.counts_by_ns);
        let name = escaped(one.name);
        writeln!(out, "{name:NAME_WIDTH$} {}", bar.trim_end())?;
    }
    Ok(())
}

fn bar(scale: &Decades, counts_by_ns: &[(u64, u64)]) -> String {
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

    const SCALE: Decades = Decades(1..=7);

    #[test]
    fn whatever_occurred_is_seen_and_the_most_frequent_is_highest() {
        let bar = bar(&SCALE, &[(45, 999), (3_000_000, 1)]);
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
