//! `punctual evidence --search high-resolution`: every member of a family of rules against the
//! published statements that it has to account for.

mod json;
mod show;

use crate::failure::Failure;
use crate::flags::FormatArgs;
use crate::interrupt::Stop;
use crate::output;
use crate::progress::Progress;
use punctual_evidence::Case;
use punctual_evidence::search::{Answer, Asked, Row, Scores, high_resolution as family};
use punctual_evidence::search::{is_high_resolution, score};
use std::ops::ControlFlow;
use std::process::ExitCode;

/// What came of a search.
struct Searched {
    scores: Scores,
}

/// A statement, which is asked on several versions of Windows.
struct Statement<'a> {
    asked: &'a Asked,
    /// Its places in [`Scores::asked`].
    places: Vec<usize>,
}

/// Tries every combination of the rules for high-resolution timers.
pub fn high_resolution(
    cases: &[&Case],
    format: FormatArgs,
    stop: &Stop,
) -> Result<ExitCode, Failure> {
    let mut cases = cases.to_vec();
    cases.retain(|case| is_high_resolution(case));
    if cases.is_empty() {
        let problem = "none of these cases is about high-resolution timers";
        return Err(Failure::flag("--search", problem));
    }
    let family = family();
    let replays = (family.len() * cases.len()) as u64;
    let heeding = stop.heed_while_computing();
    let progress = Progress::of("searching", replays);
    let scores = score(family, &cases, &|done| {
        progress.reach(done as u64);
        if stop.is_asked_for() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    drop(progress);
    heeding.end();
    output::show(format, &Searched { scores })?;
    Ok(stop.status())
}

impl Searched {
    /// The statements, each once.
    fn statements(&self) -> Vec<Statement<'_>> {
        let mut statements: Vec<Statement<'_>> = Vec::new();
        for (place, asked) in self.scores.asked.iter().enumerate() {
            let is_same = |found: &&mut Statement<'_>| {
                let key = |asked: &Asked| (asked.case.clone(), asked.variation);
                key(found.asked) == key(asked) && found.asked.published == asked.published
            };
            match statements.iter_mut().find(is_same) {
                Some(known) => known.places.push(place),
                None => statements.push(Statement {
                    asked,
                    places: vec![place],
                }),
            }
        }
        statements
    }
}

impl Statement<'_> {
    /// What a member of the family gives: on a version on which it fails, if there is one.
    fn answer<'a>(&self, row: &'a Row) -> &'a Answer {
        let mut answers = self.places.iter().map(|place| &row.answers[*place]);
        let first = &row.answers[self.places[0]];
        answers.find(|answer| !answer.holds).unwrap_or(first)
    }

    /// Whether it holds on every version.
    fn holds(&self, row: &Row) -> bool {
        self.answer(row).holds
    }
}

/// How many of them fail.
fn failing(statements: &[Statement<'_>], row: &Row) -> usize {
    let failing = statements.iter().filter(|statement| !statement.holds(row));
    failing.count()
}
