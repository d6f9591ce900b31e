//! A recording as text for people, at most 80 columns wide: the machine, what each method achieved,
//! how that is distributed, and what to make of it.

mod distribution;
mod table;
mod warnings;

use crate::quantity;
use anstyle::Style;
use punctual_lab::recording::Recording;
use std::io::{self, Write};
use std::time::Duration;

/// Headings. Styles are removed where standard output is no terminal.
const HEADING: Style = Style::new().bold();
/// What is worth a look.
const ATTENTION: Style = Style::new()
    .bold()
    .fg_color(Some(anstyle::Color::Ansi(anstyle::AnsiColor::Yellow)));

/// Writes all of it.
pub fn recording(
    out: &mut impl Write,
    recording: &Recording,
    slack_applies: &dyn Fn(&str) -> bool,
) -> io::Result<()> {
    heading(out, "Machine")?;
    for line in recording.environment.lines() {
        writeln!(out, "  {line}")?;
    }
    let measured: Vec<_> = recording
        .series
        .iter()
        .filter(|series| series.count > 0)
        .collect();
    if measured.is_empty() {
        writeln!(out, "\nStopped before anything was measured.")?;
        return Ok(());
    }
    heading(out, &title(recording))?;
    table::per_wake(out, &measured)?;
    heading(out, "The same per deadline, every missed deadline counted")?;
    table::per_deadline(out, &measured)?;
    heading(out, "Where the wake-ups fall")?;
    distribution::bars(out, &measured)?;
    warnings::write(out, recording, slack_applies)
}

fn heading(out: &mut impl Write, text: &str) -> io::Result<()> {
    writeln!(out, "\n{HEADING}{text}{HEADING:#}")
}

fn title(recording: &Recording) -> String {
    let asked = &recording.asked;
    let period = nanos(asked.period_ns);
    let mut title = format!("Lateness of {} waits of {period}", asked.count);
    if asked.load != punctual_lab::Load::None {
        title += &format!(", load {}", asked.load);
    }
    if asked.priority != "normal" {
        title += &format!(", priority {}", asked.priority);
    }
    if let Some(processor) = asked.pin {
        title += &format!(", on processor {processor}");
    }
    if recording.interrupted {
        title += " (stopped early)";
    }
    title
}

fn nanos(nanos: u64) -> String {
    quantity::show(Duration::from_nanos(nanos))
}
