//! The curve of "The Great Rule Change", in characters: readable without colours.

use super::{mean, short_ms};
use punctual_data::chart::{Chart, WIDTH};
use punctual_data::text::Text;
use punctual_lab::sweep::{MachineSweep, Row};
use std::io;

/// The most columns per request.
const WIDEST: usize = 8;

const GLYPHS: [char; 7] = ['x', 'o', '+', '#', '@', 'v', '%'];

/// A curve: machines with the same means at every request, and their glyph.
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
pub(super) fn draw(out: &mut Text, curves: &[Curve], rows: &[Row]) -> io::Result<()> {
    let room = (WIDTH / rows.len()).clamp(1, WIDEST);
    let mut chart = Chart::new(0.0, top(curves), room * rows.len());
    for (number, curve) in curves.iter().enumerate() {
        let offset = offset(number, curves.len(), room);
        for (request, mean) in curve.means.iter().enumerate() {
            chart.mark(
                request * room + offset,
                mean.parse().unwrap_or(0.0),
                curve.glyph,
            );
        }
    }
    chart.write(out, &requests(rows, room))?;
    legend(out, curves)
}

/// The smallest multiple of 4 ms that no mean exceeds; of 1 ms if all are small.
fn top(curves: &[Curve]) -> f64 {
    let means = curves.iter().flat_map(|curve| &curve.means);
    let most = means
        .filter_map(|mean| mean.parse().ok())
        .fold(0.0, f64::max);
    let step = if most > 2.0 { 4.0 } else { 1.0 };
    (most / step).ceil().max(1.0) * step
}

/// The column of a curve within a request: one of its own while there is room.
fn offset(number: usize, curves: usize, room: usize) -> usize {
    if curves <= room {
        number
    } else {
        number * room / curves
    }
}

/// The requests below the axis, if there is room for them.
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

fn legend(out: &mut Text, curves: &[Curve]) -> io::Result<()> {
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
        assert_eq!([0, 1].map(|number| offset(number, 2, 3)), [0, 1]);
        assert_eq!([0, 1].map(|number| offset(number, 2, 1)), [0, 0]);
    }

    #[test]
    fn the_axis_ends_above_every_mean() {
        assert_eq!(top(&[curve('x', &["15.6", "2.0"])]), 16.0);
        assert_eq!(top(&[curve('x', &["1.0"])]), 1.0);
    }
}
