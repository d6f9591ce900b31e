//! What a run was, as text for people.

use crate::run::{Run, compared};
use crate::summary::{CallRecord, Lengths, Summary};
use punctual_data::quantity::{self, nanos};
use punctual_data::table::{Column, Table};
use punctual_data::text::{Text, paragraph};
use std::collections::BTreeSet;
use std::io;
use std::time::Duration;

/// The most rows of the table: of more, those with the fewest waits are counted only.
const MOST_ROWS: usize = 16;

/// What a run was.
///
/// # Errors
/// When the text cannot be written.
pub fn write(out: &mut Text, run: &Run) -> io::Result<()> {
    let summary = Summary::of(&run.windows);
    let phase = written_phase(run.question.conditions.phase);
    paragraph(out, &format!("{}; --phase {phase}", ended(run)))?;
    for runtime in &summary.runtimes {
        paragraph(out, &format!("{} is {}", runtime.process, runtime.runtime))?;
    }
    calls(out, &summary.calls)?;
    for not in &summary.not_steered {
        let times = match not.times {
            1 => String::new(),
            times => format!(" ({times} times)"),
        };
        paragraph(
            out,
            &format!("not steered: {}: {}{times}", not.process, not.what),
        )?;
    }
    Ok(())
}

/// How the waits of one program differ under several versions.
///
/// # Errors
/// When the text cannot be written.
pub fn write_compared(out: &mut Text, runs: &[Run]) -> io::Result<()> {
    for run in runs {
        writeln!(out, "{}", ended(run))?;
    }
    let table = Table::of(vec![
        Column::of_rows("process", 11),
        Column::left("call", 15),
        Column::left("under", 16),
        Column::right("waits", 7),
        Column::right("asked", 9),
        Column::right("taken", 9),
        Column::right("p99", 9),
    ]);
    let rows = compared(runs).into_iter().map(|(number, call)| {
        let [asked, _] = lengths(call.asked);
        let [taken, p99] = lengths(call.taken);
        let under = runs[number].question.machine.to_string();
        let (name, waits) = (name(&call), call.waits.to_string());
        vec![name, call.call, under, waits, asked, taken, p99]
    });
    table.with(rows).text(out)
}

fn calls(out: &mut Text, calls: &[CallRecord]) -> io::Result<()> {
    if calls.is_empty() {
        return writeln!(out, "it made no timed waits that could be steered");
    }
    let shown = &calls[..calls.len().min(MOST_ROWS)];
    let table = Table::of(vec![
        Column::of_rows("process", 11),
        Column::left("call", 15),
        Column::right("waits", 6),
        Column::right("asked", 8),
        Column::right("p99", 8),
        Column::right("taken", 8),
        Column::right("p99", 8),
        Column::right("later", 6),
        Column::right("events", 7),
    ]);
    table.with(shown.iter().map(cells)).text(out)?;
    if let Some(more) = calls.len().checked_sub(MOST_ROWS).filter(|more| *more > 0) {
        writeln!(out, "and {more} more rows: --json FILE has all")?;
    }
    let rules: BTreeSet<(&str, &str)> = shown
        .iter()
        .map(|call| (call.call.as_str(), call.rule.as_str()))
        .collect();
    for (call, rule) in rules {
        paragraph(out, &format!("{call} stood for {}", described(rule)))?;
    }
    Ok(())
}

/// How a run ended.
fn ended(run: &Run) -> String {
    let (machine, status) = (&run.question.machine, run.ended.status);
    format!("{machine}: {status} in {}", quantity::show(run.took))
}

fn cells(call: &CallRecord) -> Vec<String> {
    let [asked, asked_p99] = lengths(call.asked);
    let [taken, taken_p99] = lengths(call.taken);
    vec![
        name(call),
        call.call.clone(),
        call.waits.to_string(),
        asked,
        asked_p99,
        taken,
        taken_p99,
        call.lengthened.to_string(),
        call.ended_by_events.to_string(),
    ]
}

/// The process, as far as there is room.
fn name(call: &CallRecord) -> String {
    call.process.chars().take(10).collect()
}

/// The median and the 99th percentile.
fn lengths(lengths: Option<Lengths>) -> [String; 2] {
    let shown = lengths.map(|lengths| [lengths.p50_ns, lengths.p99_ns].map(nanos));
    shown.unwrap_or_else(|| ["-", "-"].map(str::to_owned))
}

/// A rule with what it is: a persona's runtime and entry.
fn described(rule: &str) -> String {
    match punctual_windows::personas::named(rule) {
        Ok(persona) => format!("{rule}: {}, {}", persona.runtime, persona.entry),
        Err(_) => rule.to_owned(),
    }
}

/// A phase as `--phase` reads it.
pub fn written_phase(phase: Duration) -> String {
    format!("{}us", phase.as_micros())
}
