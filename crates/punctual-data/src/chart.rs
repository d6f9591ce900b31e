//! A chart of points in characters: readable without colours.

use crate::text::Text;
use std::io;

/// The rows above the axis: four times four, so that four labels stand at whole rows.
const HEIGHT: usize = 16;
const ROWS_PER_LABEL: usize = 4;
/// The width: 80 columns without the axis.
pub const WIDTH: usize = 70;

/// The mark where several different marks meet.
const SEVERAL: char = '*';

/// Points between a lowest and a highest value.
pub struct Chart {
    bottom: f64,
    top: f64,
    /// The lowest row first.
    rows: Vec<Vec<char>>,
}

impl Chart {
    /// An empty chart with this many columns.
    pub fn new(bottom: f64, top: f64, columns: usize) -> Self {
        Self {
            bottom,
            top,
            rows: vec![vec![' '; columns]; HEIGHT + 1],
        }
    }

    /// Marks a value; a value beyond the chart is marked at its edge. Different marks that meet
    /// become one mark for several.
    pub fn mark(&mut self, column: usize, value: f64, glyph: char) {
        let cell = self.cell(column, value);
        *cell = if [' ', glyph].contains(cell) {
            glyph
        } else {
            SEVERAL
        };
    }

    /// Marks a value, and replaces what is there.
    pub fn mark_over(&mut self, column: usize, value: f64, glyph: char) {
        *self.cell(column, value) = glyph;
    }

    fn cell(&mut self, column: usize, value: f64) -> &mut char {
        &mut self.rows[height(value, self.bottom, self.top)][column]
    }

    /// Writes the points, the axes, and labels below them.
    pub fn write(&self, out: &mut Text, labels: &str) -> io::Result<()> {
        for (height, row) in self.rows.iter().enumerate().rev() {
            let row: String = row.iter().collect();
            let axis = match height % ROWS_PER_LABEL {
                0 => format!("{:>5} ┤", self.value(height)),
                _ => format!("{:>5} │", ""),
            };
            writeln!(out, "{axis}{}", row.trim_end())?;
        }
        let columns = self.rows[0].len();
        writeln!(out, "{:>5} └{}", "", "─".repeat(columns))?;
        writeln!(out, "{:>7}{}", "", labels.trim_end())
    }

    /// The value at a height, to three digits behind the point.
    fn value(&self, height: usize) -> f64 {
        let share = height as f64 / HEIGHT as f64;
        ((self.bottom + (self.top - self.bottom) * share) * 1e3).round() / 1e3
    }
}

/// A range with short labels that holds everything from `least` to `most`.
pub fn range(least: f64, most: f64) -> (f64, f64) {
    const LABELS: f64 = (HEIGHT / ROWS_PER_LABEL) as f64;
    let mut decade = 1e-3;
    loop {
        for step in [1.0, 2.0, 2.5, 5.0].map(|digit| digit * decade) {
            let bottom = (least / step).floor() * step;
            if bottom + LABELS * step >= most {
                return (bottom, bottom + LABELS * step);
            }
        }
        decade *= 10.0;
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "between zero and the height"
)]
fn height(value: f64, bottom: f64, top: f64) -> usize {
    let share = ((value - bottom) / (top - bottom)).clamp(0.0, 1.0);
    (share * HEIGHT as f64).round() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn highest(marks: &[(usize, char)]) -> String {
        let mut chart = Chart::new(0.0, 16.0, 3);
        for &(column, glyph) in marks {
            chart.mark(column, 16.0, glyph);
        }
        chart.rows[HEIGHT].iter().collect()
    }

    #[test]
    fn marks_that_meet_are_shown_as_several() {
        assert_eq!(highest(&[(0, 'x'), (1, 'o')]), "xo ");
        assert_eq!(highest(&[(0, 'x'), (0, 'o')]), "*  ");
        assert_eq!(highest(&[(2, 'x'), (2, 'x')]), "  x");
    }

    #[test]
    fn a_value_stands_at_its_height() {
        assert_eq!(height(16.0, 0.0, 16.0), HEIGHT);
        assert_eq!(height(0.0, 0.0, 16.0), 0);
        assert_eq!(height(7.8, 0.0, 16.0), 8);
        assert_eq!(height(1.25, 1.0, 1.5), 8);
        assert_eq!(height(99.0, 0.0, 1.0), HEIGHT);
    }

    #[test]
    fn ranges_hold_everything_and_have_short_labels() {
        assert_eq!(range(1.003, 1.497), (1.0, 1.8));
        assert_eq!(range(0.0, 15.6), (0.0, 20.0));
        for (least, most) in [(0.9995, 1.0005), (1.0, 1.0), (0.0, 3e4)] {
            let (bottom, top) = range(least, most);
            assert!(bottom <= least && most <= top, "{bottom} {top}");
            let chart = Chart::new(bottom, top, 1);
            assert!(chart.value(HEIGHT).to_string().len() <= 5, "{top}");
        }
    }
}
