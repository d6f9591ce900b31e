//! The worst wake-ups, each as a sum that is exact to the nanosecond.

use super::lanes::{Lane, lanes};
use crate::show::{WIDTH, heading, wrapped};
use crate::text::Text;
use punctual_trace::Report;
use punctual_trace::report::WakeUpRow;
use std::io;

/// The number of wake-ups in the list.
const MOST: usize = 10;
/// The most terms of a sum; a thread that waited long in a busy queue has dozens.
const MOST_TERMS: usize = 8;

pub(super) fn list(out: &mut Text, report: &Report) -> io::Result<()> {
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

/// The parts of a lateness, each cause and name once, and the sum of the parts left out.
fn terms(wake_up: &WakeUpRow) -> Vec<String> {
    let lanes = lanes(wake_up, MOST_TERMS);
    let mut terms: Vec<_> = lanes.iter().map(term).collect();
    let left_ns = wake_up.lateness_ns - lanes.iter().map(|lane| lane.ns).sum::<u64>();
    if left_ns > 0 {
        terms.push(format!("{} others", micros(left_ns)));
    }
    terms
}

fn term(lane: &Lane<'_>) -> String {
    let (ns, cause) = (micros(lane.ns), lane.like.cause);
    if cause.is_about_someone() {
        format!("{ns} {cause} ({})", lane.like.who)
    } else {
        format!("{ns} {cause}")
    }
}

/// Microseconds with all digits of the nanoseconds.
pub(super) fn micros(ns: u64) -> String {
    format!("{}.{:03}", ns / 1000, ns % 1000)
}
