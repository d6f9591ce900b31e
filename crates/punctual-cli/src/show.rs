//! What a command shows, and what several say: a machine, the conditions of a measurement, how far figures can be trusted.

pub mod drift;

use punctual_command::failure::Failure;
use punctual_command::flags::FormatArgs;
use punctual_command::output;
use punctual_data::distribution::{Distribution, Figure};
use punctual_data::quantity;
use punctual_data::quantity::{nanos, percent};
use punctual_data::show::Show;
use punctual_data::table::{Column, NAME_WIDTH, Table};
use punctual_data::text::{Text, heading};
use punctual_lab::conditions::{Load, Priority, Slice, Standing};
use punctual_lab::measure::SeriesRecord;
use punctual_lab::question::{Conditions, Simulated};
use punctual_lab::{Environment, REQUESTED, SLICED};
use serde::Serialize;
use std::io;
use std::time::Duration;

/// What another room recorded, as this command shows it.
#[derive(Serialize)]
#[serde(transparent)]
pub struct View<'a, T>(pub &'a T);

/// Prints a result in the requested format.
pub fn in_format(format: FormatArgs, found: &impl Show) -> Result<(), Failure> {
    output::in_format(
        format,
        found,
        |out| found.text(out),
        || found.page(),
        || found.sheet(),
    )
}

/// The facts of a machine.
pub fn machine(out: &mut Text, environment: &Environment) -> io::Result<()> {
    heading(out, "Machine")?;
    let lines = environment.lines();
    lines.iter().try_for_each(|line| writeln!(out, "  {line}"))
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
fn standing_in_words(standing: Standing) -> impl Iterator<Item = String> {
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

/// Lateness per deadline, missed ones included, then counts, then cost.
pub fn per_deadline(series: &[&SeriesRecord]) -> Table {
    let mut columns = columns();
    columns.extend([
        Column::right("early", 6),
        Column::right("missed", 7),
        Column::right("cpu", 6),
    ]);
    Table::of(columns).with(series.iter().map(|series| {
        let counts = [
            series.early.to_string(),
            series.missed.to_string(),
            percent(series.processor_share),
        ];
        cells(&series.method, &series.per_deadline, counts)
    }))
}

/// The title of [`per_wake`].
pub const PER_WAKE: &str = "The same per wake, without missed deadlines";

/// Lateness per wake, then its two parts if the system tells them.
pub fn per_wake(series: &[&SeriesRecord]) -> Table {
    let mut columns = columns();
    columns.extend([Column::right("timer", 9), Column::right("queue", 9)]);
    Table::of(columns).with(series.iter().map(|series| {
        let parts = [&series.timer, &series.queue].map(|part| p99(part.as_ref()));
        cells(&series.method, &series.per_wake, parts)
    }))
}

/// The meaning of the last columns of [`per_wake`].
pub const TIMER_AND_QUEUE: &str =
    "timer: p99 until the thread was ready; queue: p99 of waiting for a processor";

fn columns() -> Vec<Column> {
    let statistics = Figure::OF_TABLES.map(|figure| Column::right(figure.name(), 9));
    let mut columns = vec![Column::of_rows("method", NAME_WIDTH)];
    columns.extend(statistics);
    columns
}

fn cells<const N: usize>(method: &str, summary: &Distribution, others: [String; N]) -> Vec<String> {
    let mut cells = vec![method.to_owned()];
    cells.extend(summary.shown());
    cells.extend(others);
    cells
}

fn p99(part: Option<&Distribution>) -> String {
    part.map_or("unknown".to_owned(), |part| nanos(part.p99_ns))
}
