//! The search as JSON: every alternative, and what it gives for every statement.

use super::Searched;
use punctual_evidence::search::{Asked, Row};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// Changes whenever a key changes its meaning or is removed.
const SCHEMA: &str = "punctual.search/1";

impl Serialize for Searched {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let scores = &self.scores;
        let alternatives = scores.ranked().into_iter().map(alternative);
        json!({
            "schema": SCHEMA,
            "punctual_version": env!("CARGO_PKG_VERSION"),
            "alternatives_wanted": scores.wanted,
            "survivors": scores.survivors().count(),
            "statements": scores.asked.iter().map(statement).collect::<Vec<_>>(),
            "alternatives": alternatives.collect::<Vec<_>>(),
        })
        .serialize(serializer)
    }
}

fn statement(asked: &Asked) -> Value {
    json!({
        "case": asked.case,
        "variation": asked.variation,
        "version": asked.version,
        "published": asked.published.to_string(),
    })
}

/// The answers are in the order of the statements.
fn alternative(row: &Row) -> Value {
    let changes = row.alternative.changes.iter().map(ToString::to_string);
    json!({
        "changes": changes.collect::<Vec<_>>(),
        "failures": row.failures(),
        "holds": row.answers.iter().map(|answer| answer.holds).collect::<Vec<_>>(),
        "simulated": row.answers.iter().map(|answer| answer.found.clone()).collect::<Vec<_>>(),
    })
}
