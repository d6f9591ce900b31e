//! The table as JSON.

use super::Row;
use punctual_lab::evidence::{Prediction, RuleChange, Statement, Verdict};
use serde_json::{Value, json};

/// Changes whenever a key changes its meaning or is removed.
const SCHEMA: &str = "punctual.evidence/1";

/// The whole document.
pub fn document(rows: &[Row], predicted: &[Prediction], changes: &[RuleChange]) -> Value {
    let changes: Vec<_> = changes.iter().map(ToString::to_string).collect();
    json!({
        "schema": SCHEMA,
        "punctual_version": env!("CARGO_PKG_VERSION"),
        "rules_changed": changes,
        "cases": rows.iter().map(case).collect::<Vec<_>>(),
        "predictions": predicted.iter().map(prediction).collect::<Vec<_>>(),
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
        "published": distinct(findings.clone().map(|finding| finding.expected.statement.to_string())),
        "simulated": distinct(findings.map(|finding| finding.found.clone())),
        "holds": holds,
        "expected_to_fail": expected,
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
        "holds": finding.holds,
        "expected_to_fail": finding.expected.expected_to_fail,
    })
}

/// A result that is not published.
fn prediction(prediction: &Prediction) -> Value {
    json!({
        "says": prediction.says,
        "version": prediction.version,
        "simulated": prediction.simulated,
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
