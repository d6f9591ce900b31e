//! The worst wake-ups, a sum each, exact to the nanosecond.

use super::super::{WIDTH, heading, wrapped};
use punctual_trace::Report;
use punctual_trace::report::{SegmentRow, WakeUpRow};
use std::io::{self, Write};

/// How many are listed.
const MOST: usize = 10;
/// Segments that a line has; a thread that waited long in a busy queue has hundreds.
const MOST_SEGMENTS: usize = 8;

pub(super) fn list(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    let worst = report.worst();
    let title = format!("The {} latest, in microseconds", worst.len().min(MOST));
    heading(out, &title)?;
    let has_several = worst.iter().any(|up| up.thread != worst[0].thread);
    for wake_up in worst.iter().take(MOST) {
        let who = if has_several {
            wake_up.thread.as_str()
        } else {
            ""
        };
        let sum = terms(wake_up).join(" + ");
        let text = format!("= {sum}");
        for (index, line) in wrapped(&text, WIDTH - INDENT).enumerate() {
            let total = if index == 0 {
                micros(wake_up.lateness_ns)
            } else {
                String::new()
            };
            writeln!(out, "{total:>TOTAL_WIDTH$} {line}")?;
        }
        if has_several {
            writeln!(out, "{:TOTAL_WIDTH$}   {who}", "")?;
        }
    }
    Ok(())
}

const TOTAL_WIDTH: usize = 12;
const INDENT: usize = TOTAL_WIDTH + 1;

/// The longest segments in the order of time, and the sum of the others.
fn terms(wake_up: &WakeUpRow) -> Vec<String> {
    let mut lengths: Vec<_> = wake_up.segments.iter().map(|segment| segment.ns).collect();
    lengths.sort_unstable_by_key(|&ns| std::cmp::Reverse(ns));
    let least = lengths.get(MOST_SEGMENTS - 1).copied().unwrap_or(0);
    let mut left = MOST_SEGMENTS;
    let (mut terms, mut others, mut others_ns) = (Vec::new(), 0, 0);
    for segment in &wake_up.segments {
        if segment.ns >= least && left > 0 {
            left -= 1;
            terms.push(term(segment));
        } else {
            others += 1;
            others_ns += segment.ns;
        }
    }
    if others > 0 {
        terms.push(format!("{} in {others} others", micros(others_ns)));
    }
    terms
}

/// Words that belong together are not torn apart at a line's end.
fn term(segment: &SegmentRow) -> String {
    let ns = micros(segment.ns);
    let cause = segment.cause;
    if segment.cause.is_about_someone() {
        format!("{ns} {cause} ({})", segment.who)
    } else {
        format!("{ns} {cause}")
    }
}

/// Microseconds with every nanosecond.
pub(super) fn micros(ns: u64) -> String {
    format!("{}.{:03}", ns / 1000, ns % 1000)
}
