//! A recording as text for people, at most 80 columns wide: the machine, what each method achieved,
//! how that is distributed, and what to make of it.

#[cfg(feature = "sim")]
mod chart;
mod compare;
mod csv;
mod distribution;
mod doctor;
#[cfg(feature = "sim")]
pub mod evidence;
pub mod explain;
#[cfg(feature = "sim")]
mod machines;
mod markdown;
#[cfg(feature = "sim")]
pub mod resolution;
#[cfg(feature = "sim")]
mod sweep;
mod table;
mod warnings;

pub use compare::comparisons;
pub use csv::csv;
pub use doctor::examination;
#[cfg(feature = "sim")]
pub use machines::machines;
pub use markdown::markdown;
#[cfg(feature = "sim")]
pub use sweep::{slack_sweep, sweep};

use crate::quantity;
use anstyle::Style;
use punctual_lab::experiment::{REQUESTED, TUNED};
use punctual_lab::recording::Recording;
use std::io::{self, Write};
use std::time::Duration;

/// The width of a terminal that nobody has widened.
const WIDTH: usize = 80;
/// Headings. Styles are removed where standard output is no terminal.
const HEADING: Style = Style::new().bold();
/// What is worth a look.
const ATTENTION: Style = Style::new()
    .bold()
    .fg_color(Some(anstyle::Color::Ansi(anstyle::AnsiColor::Yellow)));

/// Writes all of it.
pub fn recording(
    out: &mut dyn Write,
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
    for (index, line) in wrapped(&title(recording), WIDTH).enumerate() {
        if index == 0 {
            heading(out, &line)?;
        } else {
            writeln!(out, "{HEADING}{line}{HEADING:#}")?;
        }
    }
    table::per_wake(out, &measured)?;
    heading(out, "The same per deadline, every missed deadline counted")?;
    table::per_deadline(out, &measured)?;
    heading(out, "Where the wake-ups fall")?;
    distribution::bars(out, &measured)?;
    warnings::write(out, recording, slack_applies)
}

fn heading(out: &mut dyn Write, text: &str) -> io::Result<()> {
    writeln!(out, "\n{HEADING}{text}{HEADING:#}")
}

/// A remark below a table.
fn note(out: &mut dyn Write, text: &str) -> io::Result<()> {
    const LABEL: &str = "note: ";
    let mut lines = wrapped(text, WIDTH - LABEL.len());
    let first = lines.next().unwrap_or_default();
    writeln!(out, "{ATTENTION}{LABEL}{ATTENTION:#}{first}")?;
    lines.try_for_each(|line| writeln!(out, "{:width$}{line}", "", width = LABEL.len()))
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
    if let Some(machine) = &asked.on {
        title += &format!(", on {machine}");
    }
    for companion in &asked.with {
        title += &format!(", with {companion}");
    }
    if let Some(interval) = asked.request_ns {
        title += &format!("; {REQUESTED} under its own request of {}", nanos(interval));
    }
    if asked.tuned {
        title += &format!("; {TUNED} with the machine tuned");
    }
    if recording.interrupted {
        title += " (stopped early)";
    }
    title
}

fn nanos(nanos: u64) -> String {
    quantity::show(Duration::from_nanos(nanos))
}

/// Lines of at most `width` characters, broken at spaces.
fn wrapped(text: &str, width: usize) -> impl Iterator<Item = String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last_mut().expect("there is a first line");
        let needed = last.chars().count() + 1 + word.chars().count();
        if last.is_empty() {
            last.push_str(word);
        } else if needed <= width {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.into_iter()
}
