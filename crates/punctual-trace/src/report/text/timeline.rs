//! A drawing of the worst wake-up, with a line for each cause and name.

use super::lanes::{Lane, lanes};
use crate::Report;
use punctual_data::quantity::nanos;
use punctual_data::text::{Text, cut, heading};
use std::io;

/// The width of the drawing: 80 columns without names and durations.
const WIDTH: usize = 26;
const CAUSE_WIDTH: usize = 25;
const OCCUPANT_WIDTH: usize = 18;

/// The most lines of a drawing.
const MOST_LANES: usize = 16;

/// Draws the worst wake-up that is explained, if there is one.
///
/// # Errors
/// When the text cannot be written.
pub fn draw(out: &mut Text, report: &Report) -> io::Result<()> {
    let worst = report.worst().into_iter();
    let Some(worst) = worst.into_iter().find(|up| !up.segments.is_empty()) else {
        return Ok(());
    };
    let lateness_ns = worst.segments.iter().map(|segment| segment.ns).sum();
    let title = format!(
        "The worst wake-up, from its deadline until it ran {} later",
        nanos(lateness_ns)
    );
    heading(out, &title)?;
    let lanes = lanes(worst, MOST_LANES);
    for lane in &lanes {
        writeln!(
            out,
            "{:CAUSE_WIDTH$}{:OCCUPANT_WIDTH$}{}{:>10}",
            lane.like.cause,
            cut(&lane.like.occupant, OCCUPANT_WIDTH - 1),
            bars(lane, lateness_ns),
            nanos(lane.ns)
        )?;
    }
    let shown: usize = lanes.iter().map(|lane| lane.parts.len()).sum();
    let left = worst.segments.len() - shown;
    if left > 0 {
        writeln!(out, "and {left} shorter ones, left out here")?;
    }
    Ok(())
}

fn bars(lane: &Lane<'_>, lateness_ns: u64) -> String {
    let mut cells = [' '; WIDTH];
    for &(start, ns) in &lane.parts {
        let (from, to) = columns(start, ns, lateness_ns);
        cells[from..to].fill('█');
    }
    cells.iter().collect()
}

/// The first and the last column of a bar. It has at least one column.
fn columns(start: u64, ns: u64, lateness_ns: u64) -> (usize, usize) {
    let column = |at: u64| {
        let column = u128::from(at) * WIDTH as u128 / u128::from(lateness_ns.max(1));
        usize::try_from(column).unwrap_or(WIDTH)
    };
    let from = column(start).min(WIDTH - 1);
    (from, column(start + ns).clamp(from + 1, WIDTH))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_follow_each_other_and_none_vanishes() {
        assert_eq!(columns(0, 500, 1000), (0, WIDTH / 2));
        assert_eq!(columns(500, 500, 1000), (WIDTH / 2, WIDTH));
        assert_eq!(columns(0, 1, u64::MAX), (0, 1));
        assert_eq!(columns(1000, 0, 1000), (WIDTH - 1, WIDTH));
    }
}
