//! The table as JSON.

use super::{Replayed, Row};
use punctual_evidence::{Statement, Verdict};
use serde_json::{Value, json};

/// Changes whenever a key changes its meaning or is removed.
const SCHEMA: &str = "punctual.evidence/3";

/// The whole document.
pub fn document(replayed: &Replayed) -> Value {
    let Replayed { rows, changes } = replayed;
    let changes: Vec<_> = changes.iter().map(ToString::to_string).collect();
    json!({
        "schema": SCHEMA,
        "punctual_version": env!("CARGO_PKG_VERSION"),
        "rules_changed": changes,
        "cases": rows.iter().map(case).collect::<Vec<_>>(),
    })
}

/// `holds` is null if a case was not replayed.
fn case(row: &Row) -> Value {
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
        "statements": row.replay.statements.iter().map(statement).collect::<Vec<_>>(),
    })
}

fn statement(statement: &Statement) -> Value {
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
