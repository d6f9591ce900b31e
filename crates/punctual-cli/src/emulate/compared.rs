//! One program under several versions.

use super::{RunArgs, exit_code, summary};
use punctual_command::failure::on_stderr;
use punctual_data::table::{Column, Table};
use punctual_data::text::Text;
use punctual_emulate::run::{Run, compared};
use punctual_emulate::session::Refusal;
use std::io;
use std::process::ExitCode;

/// Runs it under each, one after another, and shows how the waits differ. The exit status is the first
/// that is not success.
pub(super) fn run(args: &RunArgs) -> Result<ExitCode, Refusal> {
    let mut runs: Vec<Run> = Vec::new();
    for question in args.questions() {
        runs.push(question.run()?);
        if runs.last().is_some_and(|run| run.ended.status.is_stopped()) {
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

fn show(out: &mut Text, runs: &[Run]) -> io::Result<()> {
    for run in runs {
        writeln!(out, "{}", summary::ended(run))?;
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
        let [asked, _] = summary::lengths(call.asked);
        let [taken, p99] = summary::lengths(call.taken);
        let under = runs[number].question.machine.to_string();
        let (name, waits) = (summary::name(&call), call.waits.to_string());
        vec![name, call.call, under, waits, asked, taken, p99]
    });
    table.with(rows).text(out)
}
