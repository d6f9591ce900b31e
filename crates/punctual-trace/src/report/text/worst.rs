//! The worst wake-ups, each as a sum that is exact to the nanosecond, with the time at which it ended.

use super::lanes::{Lane, lanes};
use super::stacks;
use crate::Report;
use crate::report::WakeUpRow;
use crate::report::named;
use punctual_data::quantity::{decimal, nanos};
use punctual_data::text::{Text, WIDTH, heading, wrapped};
use std::io;

/// The number of wake-ups in the list.
const MOST: usize = 10;
/// The most terms of a sum; a thread that waited long in a busy queue has dozens.
const MOST_TERMS: usize = 8;

/// Lists the worst wake-ups.
///
/// # Errors
/// When the text cannot be written.
pub fn list(out: &mut Text, report: &Report) -> io::Result<()> {
    let worst = report.worst();
    let title = format!("The {} worst, in microseconds", worst.len().min(MOST));
    heading(out, &title)?;
    let has_several = worst.iter().any(|up| up.thread != worst[0].thread);
    for wake_up in worst.iter().take(MOST) {
        let sum = sum(wake_up, report);
        for (index, line) in wrapped(&sum, WIDTH - INDENT).enumerate() {
            let total = match (index, wake_up.lateness_ns) {
                (0, Some(ns)) => decimal(ns, 3),
                _ => String::new(),
            };
            writeln!(out, "{total:>TOTAL_WIDTH$} {line}")?;
        }
        let when = when(wake_up, has_several);
        let more = woken(wake_up)
            .into_iter()
            .chain(preemption(wake_up))
            .chain(stacks::paragraphs(wake_up));
        for text in std::iter::once(when).chain(more) {
            for line in wrapped(&text, WIDTH - INDENT - 2) {
                writeln!(out, "{:INDENT$}  {line}", "")?;
            }
        }
    }
    Ok(())
}

const TOTAL_WIDTH: usize = 12;
const INDENT: usize = TOTAL_WIDTH + 1;

fn sum(wake_up: &WakeUpRow, report: &Report) -> String {
    let sum = terms(wake_up).join(" + ");
    let mut reasons = report.unexplained.iter();
    match reasons.find(|row| row.reason == wake_up.verdict) {
        Some(row) => format!("not explained: {}", row.because),
        None if wake_up.lateness_ns == Some(0) => "on time".to_owned(),
        None if wake_up.is_at_most => format!("at most = {sum}"),
        None => format!("= {sum}"),
    }
}

/// When and where it woke, to be found again in other logs.
fn when(wake_up: &WakeUpRow, with_name: bool) -> String {
    let monotonic = format!("{} s", decimal(wake_up.woke_ns / 1_000, 6));
    let at = wake_up.woke_utc.as_deref().map_or(monotonic, str::to_owned);
    let on = wake_up.processor.map(|on| format!(" on processor {on}"));
    let thread = with_name.then(|| format!(", {}", wake_up.thread));
    format!(
        "at {at}{}{}",
        on.unwrap_or_default(),
        thread.unwrap_or_default()
    )
}

/// What woke it, and what had woken that.
fn woken(wake_up: &WakeUpRow) -> Option<String> {
    let wakers = wake_up.woken_by.iter();
    let wakers: Vec<_> = wakers
        .map(|waker| format!("{} {} before", waker.name, nanos(waker.before_ns)))
        .collect();
    (!wakers.is_empty()).then(|| format!("woken by {}", wakers.join(", woken by ")))
}

/// When its processor was taken from it while it wanted to keep it.
fn preemption(wake_up: &WakeUpRow) -> Option<String> {
    let (preemption, lateness_ns) = (wake_up.preemption?, wake_up.lateness_ns?);
    let when = match preemption.before_ns.checked_sub(lateness_ns) {
        Some(ns) => format!("{} before", nanos(ns)),
        None => format!("{} after", nanos(lateness_ns - preemption.before_ns)),
    };
    let had = preemption.had_for_ns.map(nanos);
    let had = had.map_or_else(String::new, |ns| format!(" and {ns} after it got it"));
    Some(format!(
        "its processor was taken from it {when} its deadline{had}"
    ))
}

/// The parts of a lateness, each cause and name once, and the sum of the parts left out.
fn terms(wake_up: &WakeUpRow) -> Vec<String> {
    let lanes = lanes(wake_up, MOST_TERMS);
    let mut terms: Vec<_> = lanes.iter().map(term).collect();
    let shown: u64 = lanes.iter().map(|lane| lane.ns).sum();
    let all: u64 = wake_up.segments.iter().map(|segment| segment.ns).sum();
    if all > shown {
        terms.push(format!("{} others", decimal(all - shown, 3)));
    }
    terms
}

fn term(lane: &Lane<'_>) -> String {
    let (ns, cause) = (decimal(lane.ns, 3), lane.like.cause);
    if cause.names_occupant() {
        let occupant = named(&lane.like.occupant, lane.like.priority.as_ref());
        format!("{ns} {cause} ({occupant})")
    } else {
        format!("{ns} {cause}")
    }
}
