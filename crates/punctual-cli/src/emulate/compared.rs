//! One program under several versions.

use super::{Run, RunArgs, drawn_phase, exit_code, is_stopped, once, refused, summary};
use punctual_command::failure::{Failure, on_stderr};
use punctual_data::quantity::{self, nanos};
use punctual_data::table::{Column, Table};
use punctual_data::text::Text;
use punctual_emulate::summary::{CallRecord, Summary};
use std::collections::BTreeMap;
use std::io;
use std::process::ExitCode;

/// Runs it under each, one after another, and shows how the waits differ. The exit status is the first
/// that is not success.
pub(super) fn run(args: &RunArgs) -> Result<ExitCode, Failure> {
    let mut runs: Vec<Run> = Vec::new();
    for version in args.versions() {
        let phase = args
            .phase
            .unwrap_or_else(|| drawn_phase(args.seed, 0, &version));
        match once(args, &version, phase) {
            Ok(run) => runs.push(run),
            Err(refusal) => return Ok(refused(&refusal)),
        }
        if runs.last().is_some_and(|run| is_stopped(run.ended.status)) {
            break;
        }
    }
    if !args.quiet {
        on_stderr(|out| show(out, &runs));
    }
    let mut statuses = runs.iter().map(|run| run.ended.status);
    let failed = statuses.find(|status| status.exit_code() != 0);
    Ok(failed.map_or(ExitCode::SUCCESS, exit_code))
}

/// What rows of several runs have in common: executable and call.
type Which = (String, String);

fn show(out: &mut Text, runs: &[Run]) -> io::Result<()> {
    let mut by_which: BTreeMap<Which, BTreeMap<usize, CallRecord>> = BTreeMap::new();
    for (number, run) in runs.iter().enumerate() {
        writeln!(
            out,
            "{}: {} in {}",
            run.version.name(),
            summary::status(run.ended.status),
            quantity::show(run.took),
        )?;
        for call in Summary::of(&run.windows).calls {
            // Of several processes of a name, the one with the most waits stands for all.
            let which = (call.process.clone(), call.call.clone());
            by_which
                .entry(which)
                .or_default()
                .entry(number)
                .or_insert(call);
        }
    }
    let mut table = Table::of(vec![
        Column::of_rows("process", 11),
        Column::left("call", 15),
        Column::left("under", 16),
        Column::right("waits", 7),
        Column::right("asked", 9),
        Column::right("taken", 9),
        Column::right("p99", 9),
    ]);
    for ((process, call), under) in &by_which {
        for (number, record) in under {
            let version = runs.get(*number).map(|run| run.version.name());
            table.push(cells((process, call), &version.unwrap_or_default(), record));
        }
    }
    table.text(out)
}

fn cells((process, call): (&str, &str), version: &str, record: &CallRecord) -> Vec<String> {
    let length = |ns: Option<u64>| ns.map_or("-".to_owned(), nanos);
    vec![
        process.chars().take(10).collect(),
        call.to_owned(),
        version.to_owned(),
        record.waits.to_string(),
        length(record.asked.map(|asked| asked.p50_ns)),
        length(record.taken.map(|taken| taken.p50_ns)),
        length(record.taken.map(|taken| taken.p99_ns)),
    ]
}
