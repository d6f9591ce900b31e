//! The output of commands: text for people, at most 80 columns wide, Markdown, and CSV. This file
//! has the parts that all texts share.

pub mod chart;
pub mod confidence;
pub mod csv;
pub mod culprit;
pub mod distribution;
mod literal;
mod markdown;
pub mod series;
pub mod table;

pub use markdown::Page;
pub use table::Table;

use crate::escape::escaped;
use crate::quantity;
use crate::text::Text;
use anstyle::Style;
use punctual_lab::conditions::{Load, Priority, Slice, Standing};
use punctual_lab::question::{Conditions, Simulated};
use punctual_lab::{Environment, REQUESTED, SLICED};
use serde::Serialize;
use std::io;
use std::time::Duration;

/// The usual width of a terminal.
pub const WIDTH: usize = 80;
/// Headings. Styles are removed if standard output is not a terminal.
pub const HEADING: Style = Style::new().bold();
/// The style of warnings.
pub const ATTENTION: Style = Style::new()
    .bold()
    .fg_color(Some(anstyle::Color::Ansi(anstyle::AnsiColor::Yellow)));

/// The result of a command. JSON has all of it.
pub trait Show: Serialize {
    /// As text for a terminal.
    fn text(&self, out: &mut Text) -> io::Result<()>;

    /// As Markdown for an issue tracker.
    fn page(&self) -> Page;

    /// As CSV for a spreadsheet.
    fn sheet(&self) -> Table;
}

pub fn machine(out: &mut Text, environment: &Environment) -> io::Result<()> {
    heading(out, "Machine")?;
    let lines = environment.lines();
    lines.iter().try_for_each(|line| writeln!(out, "  {line}"))
}

pub fn heading(out: &mut Text, text: &str) -> io::Result<()> {
    writeln!(out)?;
    styled_line(out, HEADING, text)
}

/// A line in a style.
pub fn styled_line(out: &mut Text, style: Style, text: &str) -> io::Result<()> {
    out.styled(style, text)?;
    writeln!(out)
}

/// A remark below a table.
pub fn note(out: &mut Text, text: &str) -> io::Result<()> {
    const LABEL: &str = "note: ";
    let mut lines = wrapped(text, WIDTH - LABEL.len());
    let first = lines.next().unwrap_or_default();
    out.styled(ATTENTION, LABEL)?;
    writeln!(out, "{first}")?;
    lines.try_for_each(|line| writeln!(out, "{:width$}{line}", "", width = LABEL.len()))
}

/// The conditions of a measurement, for the end of a title.
pub fn circumstances(
    conditions: &Conditions,
    on: Option<&Simulated>,
    request: Option<Duration>,
) -> String {
    let mut text = String::new();
    if conditions.load != Load::None {
        text += &format!(", load {}", conditions.load);
    }
    if conditions.priority != Priority::Normal {
        text += &format!(", priority {}", conditions.priority);
    }
    if let Some(processor) = conditions.pin {
        text += &format!(", on processor {processor}");
    }
    if let Some(slice) = conditions.slices.first() {
        text += &format!(", slice {}", slice_in_words(*slice));
    }
    for word in standing_in_words(conditions.standing) {
        text += &format!(", {word}");
    }
    if let Some(simulated) = on {
        text += &format!(", on {}", simulated.machine);
    }
    for companion in &conditions.with {
        text += &format!(", with {companion}");
    }
    if let Some(interval) = request {
        let interval = quantity::show(interval);
        text += &format!("; {REQUESTED}: under its own request of {interval}");
    }
    if let Some(second) = conditions.slices.get(1) {
        text += &format!("; {SLICED}: slice {}", slice_in_words(*second));
    }
    text
}

/// What the waiting program is and says, as parts of a title; none if it is as usual.
pub fn standing_in_words(standing: Standing) -> impl Iterator<Item = String> {
    let hidden = standing.hidden.then(|| "hidden".to_owned());
    let said = standing
        .throttling
        .map(|throttling| format!("telling Windows to {throttling} its requests"));
    hidden.into_iter().chain(said)
}

/// A slice as people read it.
pub fn slice_in_words(slice: Slice) -> String {
    slice
        .set()
        .map_or_else(|| slice.to_string(), quantity::show)
}

/// A heading of one or more lines.
pub fn titled(out: &mut Text, title: &str) -> io::Result<()> {
    for (index, line) in wrapped(title, WIDTH).enumerate() {
        if index == 0 {
            heading(out, &line)?;
        } else {
            styled_line(out, HEADING, &line)?;
        }
    }
    Ok(())
}

/// Remarks below a table, each with its label.
pub fn notes(out: &mut Text, remarks: &[impl ToString]) -> io::Result<()> {
    if !remarks.is_empty() {
        writeln!(out)?;
    }
    remarks
        .iter()
        .try_for_each(|remark| note(out, &remark.to_string()))
}

pub fn nanos(nanos: u64) -> String {
    quantity::show(Duration::from_nanos(nanos))
}

/// Lines of at most `width` characters, broken at spaces. They are [escaped], because that decides
/// how wide a word is.
pub fn wrapped(text: &str, width: usize) -> impl Iterator<Item = String> + use<> {
    let mut lines = vec![String::new()];
    for word in escaped(text).split(' ') {
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
