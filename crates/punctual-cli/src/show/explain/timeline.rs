//! The latest wake-up as a drawing: a line per segment, each bar beginning where the one above ended.

use super::super::{heading, nanos};
use super::cut_to;
use punctual_trace::Report;
use punctual_trace::report::{SegmentRow, WakeUpRow};
use std::io::{self, Write};

/// Columns of the drawing: what 80 leave beside names and lengths.
const WIDTH: usize = 36;
const CAUSE_WIDTH: usize = 15;
const WHO_WIDTH: usize = 18;

/// Lines that a drawing has at most.
const MOST_LINES: usize = 24;

pub(super) fn draw(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    let Some(&worst) = report.worst().first() else {
        return Ok(());
    };
    let title = format!(
        "The latest of all, from its deadline until it ran {} later",
        nanos(worst.lateness_ns)
    );
    heading(out, &title)?;
    for (start, segment) in placed(worst) {
        let (from, to) = columns(start, segment.ns, worst.lateness_ns);
        let bar = format!("{}{}", " ".repeat(from), "█".repeat(to - from));
        writeln!(
            out,
            "{:CAUSE_WIDTH$}{:WHO_WIDTH$}{bar:WIDTH$}{:>10}",
            segment.cause,
            cut_to(&segment.who, WHO_WIDTH - 1),
            nanos(segment.ns)
        )?;
    }
    let left = worst.segments.len().saturating_sub(MOST_LINES);
    if left > 0 {
        writeln!(out, "and {left} shorter ones, left out here")?;
    }
    Ok(())
}

/// The longest segments, in the order of time, with the instants after the deadline at which they
/// began.
fn placed(wake_up: &WakeUpRow) -> Vec<(u64, &SegmentRow)> {
    let mut start = 0;
    let place = |segment| {
        let from = start;
        start += SegmentRow::clone(segment).ns;
        (from, segment)
    };
    let mut placed: Vec<_> = wake_up.segments.iter().map(place).collect();
    placed.sort_by_key(|(_, segment)| std::cmp::Reverse(segment.ns));
    placed.truncate(MOST_LINES);
    placed.sort_by_key(|&(start, _)| start);
    placed
}

/// The columns from which and to which a bar goes. However short, it has one.
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
