//! Explained wake-ups as text for people, at most 80 columns wide.

mod accounts;
mod advice;
mod lanes;
mod timeline;
mod windows_advice;
mod worst;

pub use accounts::{accounts, stolen};

use super::{ATTENTION, WIDTH, heading, nanos, wrapped};
use punctual_lab::Environment;
use punctual_trace::Report;
use punctual_trace::recording::Head;
use punctual_trace::report::CauseRow;
use std::io::{self, Write};

/// Causes that a table shows; the JSON has them all.
const MOST_CAUSES: usize = 15;

/// Whose wake-ups they are, and whose advice applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum System {
    Linux,
    Windows,
}

/// Writes all of it.
pub fn report(
    out: &mut dyn Write,
    head: &Head,
    environment: &Environment,
    report: &Report,
    system: System,
) -> io::Result<()> {
    if *environment != Environment::default() {
        machine(out, environment)?;
    }
    let title = format!("Wake-ups of {}", head.subject);
    for (index, line) in wrapped(&title, WIDTH).enumerate() {
        if index == 0 {
            heading(out, &line)?;
        } else {
            writeln!(out, "{line}")?;
        }
    }
    counts(out, report)?;
    if !report.causes.is_empty() {
        causes(out, &report.causes)?;
        worst::list(out, report)?;
        timeline::draw(out, report)?;
        advice::write(out, report, environment, system)?;
    }
    changes(out, head)
}

fn machine(out: &mut dyn Write, environment: &Environment) -> io::Result<()> {
    heading(out, "Machine")?;
    for line in environment.lines() {
        writeln!(out, "  {line}")?;
    }
    Ok(())
}

fn counts(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    let explained = report.explained();
    write!(out, "  {explained} of {} explained", report.of)?;
    if explained > 0 {
        write!(out, ": {} exact, {} merged", report.exact, report.merged)?;
    }
    writeln!(out, "{}", on_processors(&report.processors))?;
    for row in &report.unexplained {
        for line in wrapped(&format!("{} not: {}", row.count, row.because), WIDTH - 2) {
            writeln!(out, "  {line}")?;
        }
    }
    Ok(())
}

fn on_processors(processors: &[u16]) -> String {
    let list: Vec<_> = processors.iter().map(u16::to_string).collect();
    match list.as_slice() {
        [] => String::new(),
        [one] => format!("; on processor {one}"),
        several => format!("; on processors {}", several.join(", ")),
    }
}

/// The widths of the columns before the numbers: the longest cause, and the longest name of a thread
/// with some room.
const CAUSE_WIDTH: usize = 15;
const WHO_WIDTH: usize = 28;

fn causes(out: &mut dyn Write, causes: &[CauseRow]) -> io::Result<()> {
    heading(out, "Where the lateness went")?;
    writeln!(
        out,
        "{:CAUSE_WIDTH$}{:WHO_WIDTH$}{:>8}{:>10}{:>10}{:>8}",
        "cause", "who", "times", "total", "longest", "share"
    )?;
    for row in causes.iter().take(MOST_CAUSES) {
        writeln!(
            out,
            "{:CAUSE_WIDTH$}{:WHO_WIDTH$}{:>8}{:>10}{:>10}{:>7.1}%",
            row.cause,
            cut_to(&row.who, WHO_WIDTH - 1),
            row.wakeups,
            nanos(row.total_ns),
            nanos(row.max_ns),
            row.share * 100.0
        )?;
    }
    if let Some(more) = causes.len().checked_sub(MOST_CAUSES + 1) {
        writeln!(out, "and {} more, in the JSON", more + 1)?;
    }
    Ok(())
}

/// As much of a name as a column has room for.
fn cut_to(name: &str, width: usize) -> String {
    if name.chars().count() <= width {
        return name.to_owned();
    }
    let kept: String = name.chars().take(width - 1).collect();
    kept + "…"
}

/// Writes what must be known to read it.
pub fn notes(out: &mut dyn Write, notes: &[String]) -> io::Result<()> {
    for note in notes {
        labelled(out, "note:", note)?;
    }
    Ok(())
}

fn changes(out: &mut dyn Write, head: &Head) -> io::Result<()> {
    let full = "the trace was ended when it held as much as it may";
    let changes = head.environment_changes.iter().map(String::as_str);
    for note in changes.chain(head.was_full.then_some(full)) {
        labelled(out, "note:", note)?;
    }
    Ok(())
}

/// A label and a text that may need several lines.
fn labelled(out: &mut dyn Write, label: &str, text: &str) -> io::Result<()> {
    for (index, line) in wrapped(text, WIDTH - 6).enumerate() {
        let label = if index == 0 { label } else { "" };
        writeln!(out, "{ATTENTION}{label:5}{ATTENTION:#} {line}")?;
    }
    Ok(())
}
