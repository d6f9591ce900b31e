//! What a run was, as text for people.

use super::written_phase;
use punctual_command::failure::on_stderr;
use punctual_data::quantity::{self, nanos};
use punctual_data::table::{Column, Table};
use punctual_data::text::{Text, beside};
use punctual_emulate::run::Run;
use punctual_emulate::summary::{CallRecord, Lengths, Summary};
use std::collections::BTreeSet;
use std::io;

/// The most rows of the table: of more, those with the fewest waits are counted only.
const MOST_ROWS: usize = 16;

/// Prints it to standard error: standard output is the program's.
pub(super) fn show(run: &Run) {
    let summary = Summary::of(&run.windows);
    on_stderr(|out| write(out, run, &summary));
}

fn write(out: &mut Text, run: &Run, summary: &Summary) -> io::Result<()> {
    let phase = written_phase(run.question.conditions.phase);
    beside(out, "", 0, &format!("{}; --phase {phase}", ended(run)))?;
    for runtime in &summary.runtimes {
        beside(
            out,
            "",
            0,
            &format!("{} is {}", runtime.process, runtime.runtime),
        )?;
    }
    calls(out, &summary.calls)?;
    for not in &summary.not_steered {
        let times = match not.times {
            1 => String::new(),
            times => format!(" ({times} times)"),
        };
        beside(
            out,
            "",
            0,
            &format!("not steered: {}: {}{times}", not.process, not.what),
        )?;
    }
    Ok(())
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
        beside(out, "", 0, &format!("{call} stood for {}", described(rule)))?;
    }
    Ok(())
}

/// How a run ended.
pub(super) fn ended(run: &Run) -> String {
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
pub(super) fn name(call: &CallRecord) -> String {
    call.process.chars().take(10).collect()
}

/// The median and the 99th percentile.
pub(super) fn lengths(lengths: Option<Lengths>) -> [String; 2] {
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
