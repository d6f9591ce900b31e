//! Replays published measurements and shows them next to the simulated results.

mod show;

use crate::command_line::ReplayArgs;
use crate::following::showing;
use punctual_command::failure::Failure;
use punctual_command::output;
use punctual_evidence::{Case, Replay, RuleChange, Statement, Verdict};
use serde_json::{Value, json};
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
        &document(&replayed),
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

/// Changes whenever a key changes its meaning or is removed.
const SCHEMA: &str = "punctual.evidence/3";

/// The whole document.
fn document(replayed: &Replayed) -> Value {
    let Replayed { rows, changes } = replayed;
    let changes: Vec<_> = changes.iter().map(ToString::to_string).collect();
    json!({
        "schema": SCHEMA,
        "punctual_version": env!("CARGO_PKG_VERSION"),
        "rules_changed": changes,
        "cases": rows.iter().map(case_as_json).collect::<Vec<_>>(),
    })
}

/// `holds` is null if a case was not replayed.
fn case_as_json(row: &Row) -> Value {
    let verdict = row.replay.verdict();
    let holds = match verdict {
        Verdict::Holds => Some(true),
        Verdict::Fails | Verdict::ExpectedToFail => Some(false),
        Verdict::NotReplayed => None,
    };
    let expected = row.replay.reasons().join("; ");
    let expected = (verdict == Verdict::ExpectedToFail).then_some(expected);
    let findings = row
        .replay
        .statements
        .iter()
        .map(|statement| &statement.finding);
    json!({
        "id": row.case.id,
        "source": row.source,
        "says": row.case.says,
        "ask": row.case.ask,
        "published": distinct(findings.clone().map(|finding| finding.expected.statement.to_string())),
        "simulated": distinct(findings.map(|finding| finding.found.clone())),
        "holds": holds,
        "expected_to_fail": expected,
        "tried": row.replay.tried(),
        "not_replayed": row.replay.not_replayed,
        "ours": row.case.ours,
        "statements": row.replay.statements.iter().map(statement_as_json).collect::<Vec<_>>(),
    })
}

fn statement_as_json(statement: &Statement) -> Value {
    let finding = &statement.finding;
    json!({
        "variation": statement.variation,
        "version": statement.version,
        "published": finding.expected.statement.to_string(),
        "simulated": finding.found,
        "tolerance": finding.expected.whose().to_string(),
        "tolerance_reason": finding.expected.reason,
        "holds": finding.holds,
        "expected_to_fail": finding.expected.expected_to_fail,
        "tried": finding.expected.tried,
    })
}

/// Joins the different values; equal values of several variations and versions appear once.
fn distinct(texts: impl Iterator<Item = String>) -> String {
    let mut distinct = Vec::new();
    for text in texts {
        if !distinct.contains(&text) {
            distinct.push(text);
        }
    }
    distinct.join("; ")
}
