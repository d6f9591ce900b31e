//! The curve of "The Great Rule Change", in characters: readable without colour.

use super::{mean, short_ms};
use punctual_lab::simulated::sweep::{MachineSweep, Row};
use std::io::{self, Write};

/// Rows above the axis: with a mean of up to 16 ms, a row is a millisecond.
const HEIGHT: usize = 16;
/// Columns: what 80 leave beside the axis.
const WIDTH: usize = 70;
/// The widest that a request gets.
const WIDEST: usize = 8;

const GLYPHS: [char; 7] = ['x', 'o', '+', '#', '@', 'v', '%'];
/// Where several curves meet that there is no room to draw apart.
const SEVERAL: char = '*';

/// What is drawn: the machines whose means are the same all along, under one glyph.
#[derive(Debug, PartialEq)]
pub(super) struct Curve {
    pub(super) glyph: char,
    pub(super) labels: Vec<String>,
    means: Vec<String>,
}

/// Machines with the same means have one curve.
pub(super) fn group(machines: &[MachineSweep], labels: &[String]) -> Vec<Curve> {
    let mut curves: Vec<Curve> = Vec::new();
    for (machine, label) in machines.iter().zip(labels) {
        let means: Vec<_> = machine.rows.iter().map(mean).collect();
        match curves.iter_mut().find(|curve| curve.means == means) {
            Some(curve) => curve.labels.push(label.clone()),
            None => curves.push(Curve {
                glyph: GLYPHS[curves.len() % GLYPHS.len()],
                labels: vec![label.clone()],
                means,
            }),
        }
    }
    curves
}

/// Draws the curves, the axes and the legend. Curves stand side by side within a request, so that
/// none hides another.
pub(super) fn draw(out: &mut dyn Write, curves: &[Curve], rows: &[Row]) -> io::Result<()> {
    let top = top(curves);
    let room = (WIDTH / rows.len()).clamp(1, WIDEST);
    let canvas = canvas(curves, rows.len(), room, top);
    for (height, line) in canvas.iter().enumerate().rev() {
        let line: String = line.iter().collect();
        let label = match height % 4 {
            0 => format!("{:>5} ┤", top * height as f64 / HEIGHT as f64),
            _ => format!("{:>5} │", ""),
        };
        writeln!(out, "{label}{}", line.trim_end())?;
    }
    writeln!(out, "{:>5} └{}", "", "─".repeat(room * rows.len()))?;
    writeln!(out, "{:>7}{}", "", requests(rows, room).trim_end())?;
    legend(out, curves)
}

/// The least multiple of 4 ms that no mean exceeds; of 1 ms where all are small.
fn top(curves: &[Curve]) -> f64 {
    let means = curves.iter().flat_map(|curve| &curve.means);
    let most = means
        .filter_map(|mean| mean.parse().ok())
        .fold(0.0, f64::max);
    let step = if most > 2.0 { 4.0 } else { 1.0 };
    (most / step).ceil().max(1.0) * step
}

/// The lines of the drawing, the lowest first.
fn canvas(curves: &[Curve], requests: usize, room: usize, top: f64) -> Vec<Vec<char>> {
    let mut canvas = vec![vec![' '; room * requests]; HEIGHT + 1];
    for (number, curve) in curves.iter().enumerate() {
        let offset = if curves.len() <= room {
            number
        } else {
            number * room / curves.len()
        };
        for (request, mean) in curve.means.iter().enumerate() {
            let cell = &mut canvas[height(mean, top)][request * room + offset];
            *cell = if *cell == ' ' { curve.glyph } else { SEVERAL };
        }
    }
    canvas
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "between zero and the height"
)]
fn height(mean: &str, top: f64) -> usize {
    let share = mean.parse().unwrap_or(0.0) / top;
    (share * HEIGHT as f64).round() as usize
}

/// The requests below the axis, as far as there is room for each.
fn requests(rows: &[Row], room: usize) -> String {
    let mut line = String::new();
    for (number, row) in rows.iter().enumerate() {
        let column = number * room;
        let length = line.chars().count();
        if length <= column {
            line += &" ".repeat(column - length);
            line += &short_ms(row.requested_ns);
            line.push(' ');
        }
    }
    line
}

fn legend(out: &mut dyn Write, curves: &[Curve]) -> io::Result<()> {
    let entry = |curve: &Curve| format!("{} {}", curve.glyph, curve.labels.join(", "));
    let entries: Vec<_> = curves.iter().map(entry).collect();
    writeln!(out, "{:>7}{}", "", entries.join("   "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(glyph: char, means: &[&str]) -> Curve {
        Curve {
            glyph,
            labels: vec![glyph.to_string()],
            means: means.iter().map(|&mean| mean.to_owned()).collect(),
        }
    }

    #[test]
    fn curves_stand_side_by_side_where_there_is_room() {
        let curves = [curve('x', &["16.0"]), curve('o', &["16.0"])];
        let highest = |room| {
            canvas(&curves, 1, room, 16.0)[HEIGHT]
                .iter()
                .collect::<String>()
        };
        assert_eq!(highest(3), "xo ");
        assert_eq!(highest(1), "*");
    }

    #[test]
    fn a_mean_stands_at_its_height() {
        assert_eq!(top(&[curve('x', &["15.6", "2.0"])]), 16.0);
        assert_eq!(top(&[curve('x', &["1.0"])]), 1.0);
        assert_eq!(height("16.0", 16.0), HEIGHT);
        assert_eq!(height("0.0", 16.0), 0);
        assert_eq!(height("7.8", 16.0), 8);
    }
}
