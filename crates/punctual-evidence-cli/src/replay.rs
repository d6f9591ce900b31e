//! Replays published measurements and shows them next to the simulated results.

mod json;
mod show;

use crate::command_line::ReplayArgs;
use crate::following::showing;
use punctual_command::failure::Failure;
use punctual_command::output;
use punctual_evidence::{Case, Replay, RuleChange, Verdict};
use std::process::ExitCode;

const EXIT_DOES_NOT_HOLD: u8 = 3;

/// A case, the short name of its source, and the result of its replay.
struct Row {
    source: String,
    case: Case,
    replay: Replay,
}

/// All results.
struct Replayed {
    rows: Vec<Row>,
    /// The rules that were changed.
    changes: Vec<RuleChange>,
}

/// Runs the command.
pub fn replay(args: ReplayArgs) -> Result<ExitCode, Failure> {
    let changes = args.rules.changes()?;
    let chosen = args.cases.chosen()?;
    let (show, count) = (showing("replaying"), chosen.len());
    let row = |(number, (source, case)): (usize, (String, Case))| {
        show(number as f64 / count as f64);
        let replay = punctual_evidence::replay(&case, &changes);
        Row {
            source,
            case,
            replay,
        }
    };
    let rows: Vec<_> = chosen.into_iter().enumerate().map(row).collect();
    drop(show);
    let replayed = Replayed { rows, changes };
    output::in_format(
        args.format,
        &json::document(&replayed),
        |out| replayed.text(out),
        || replayed.page(),
        || replayed.sheet(),
    )?;
    let fails = |row: &Row| row.replay.verdict() == Verdict::Fails;
    Ok(match replayed.rows.iter().any(fails) {
        true => ExitCode::from(EXIT_DOES_NOT_HOLD),
        false => ExitCode::SUCCESS,
    })
}
