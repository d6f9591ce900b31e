//! Other rules, and how much of the published evidence each of them accounts for.
//!
//! An [`Alternative`] is a list of changed rules. [`score`] replays cases under every alternative, on
//! all processors at once, and says for each statement whether it holds there.
//!
//! ```
//! use punctual_evidence::search::{Alternative, score};
//! use punctual_evidence::sources;
//! use std::ops::ControlFlow;
//!
//! let sources = sources();
//! let cases = sources.iter().flat_map(|source| &source.case);
//! let busy: Vec<_> = cases.filter(|case| case.id == "svi-7-busy").collect();
//!
//! let alternatives = ["due-time=coarse", "due-time=precise"];
//! let alternatives = alternatives.map(|change| Alternative::of([change.parse().unwrap()]));
//! let scores = score(alternatives.into(), &busy, &|_| ControlFlow::Continue(()));
//! assert_eq!(scores.rows[0].failures(), 0);
//! assert!(scores.rows[1].failures() > 0);
//! assert_eq!(scores.survivors().count(), 1);
//! ```

mod high_resolution;

pub use high_resolution::{high_resolution, is_high_resolution};

use crate::{Case, Expect, Needs, Replay, RuleChange, pool, replay};
use std::fmt;
use std::ops::ControlFlow;

/// Rules that differ from those of each version.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Alternative {
    /// What is changed, on every version that a case runs on.
    pub changes: Vec<RuleChange>,
}

impl Alternative {
    /// Each version's own rules with these changed.
    pub fn of(changes: impl IntoIterator<Item = RuleChange>) -> Self {
        Self {
            changes: changes.into_iter().collect(),
        }
    }
}

/// The changes between spaces; `as they are` if there is none.
impl fmt::Display for Alternative {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.changes.is_empty() {
            return f.write_str("as they are");
        }
        for (place, change) in self.changes.iter().enumerate() {
            let space = if place == 0 { "" } else { " " };
            write!(f, "{space}{change}")?;
        }
        Ok(())
    }
}

/// A published statement that was asked of every alternative.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The id of its case.
    pub case: String,
    /// Which variation of the case, from 1.
    pub variation: usize,
    /// The version of Windows that it was replayed on.
    pub version: String,
    /// What was published.
    pub published: Expect,
}

/// What an alternative gives for a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Whether it is what was published.
    pub holds: bool,
    /// What came out: a mean, a share, a list.
    pub found: String,
}

/// An alternative and its answers.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// What was tried.
    pub alternative: Alternative,
    /// One for each of [`Scores::asked`], in that order.
    pub answers: Vec<Answer>,
}

impl Row {
    /// How many statements do not hold.
    pub fn failures(&self) -> usize {
        self.answers.iter().filter(|answer| !answer.holds).count()
    }
}

/// What came of a search.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scores {
    /// The statements, in the order of the cases.
    pub asked: Vec<Asked>,
    /// The alternatives in the order given. A search that was stopped has those that were done.
    pub rows: Vec<Row>,
    /// How many alternatives were to be tried.
    pub wanted: usize,
}

impl Scores {
    /// The alternatives under which every statement holds.
    pub fn survivors(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.failures() == 0)
    }

    /// All alternatives, those with the fewest failing statements first; of equals, the one that
    /// changes the fewest rules, then the one given first.
    pub fn ranked(&self) -> Vec<&Row> {
        let mut rows: Vec<_> = self.rows.iter().collect();
        rows.sort_by_key(|row| (row.failures(), row.alternative.changes.len()));
        rows
    }
}

/// Replays every case under every alternative, on all processors.
///
/// `progress` is given the number of replays that are done, of as many as there are pairs of an
/// alternative and a case, and ends the search by breaking. Threads call it at any time. The result
/// does not depend on how many there are.
///
/// A case that needs nothing is left out. One that cannot be replayed under an alternative fails there.
pub fn score(
    alternatives: Vec<Alternative>,
    cases: &[&Case],
    progress: &(dyn Fn(usize) -> ControlFlow<()> + Sync),
) -> Scores {
    let asked: Vec<_> = cases.iter().flat_map(|case| statements(case)).collect();
    let wanted = alternatives.len();
    let pairs = wanted * cases.len();
    let replayed = pool::map(pairs, progress, |pair| {
        answers(cases[pair % cases.len()], &alternatives[pair / cases.len()])
    });
    let mut done = replayed.into_iter();
    let mut rows = Vec::new();
    for alternative in alternatives {
        let of_cases: Vec<_> = done.by_ref().take(cases.len()).collect();
        let of_cases: Option<Vec<_>> = of_cases.into_iter().collect();
        rows.extend(of_cases.map(|answers| Row {
            alternative,
            answers: answers.into_iter().flatten().collect(),
        }));
    }
    Scores {
        asked,
        rows,
        wanted,
    }
}

/// Every statement of a case, on every version.
fn statements(case: &Case) -> Vec<Asked> {
    let mut asked = Vec::new();
    if case.needs == Needs::Nothing {
        return asked;
    }
    for (variation, run) in (1..).zip(case.runs()) {
        for version in &run.versions {
            asked.extend(run.expect.iter().map(|expectation| Asked {
                case: case.id.clone(),
                variation,
                version: version.clone(),
                published: expectation.statement.clone(),
            }));
        }
    }
    asked
}

/// What an alternative gives for each of them.
fn answers(case: &Case, alternative: &Alternative) -> Vec<Answer> {
    let asked = statements(case);
    if asked.is_empty() {
        return Vec::new();
    }
    let replayed = replay(case, &alternative.changes);
    asked.iter().map(|asked| answer(asked, &replayed)).collect()
}

fn answer(asked: &Asked, replayed: &Replay) -> Answer {
    let found = replayed.statements.iter().find(|statement| {
        statement.variation == asked.variation
            && statement.version == asked.version
            && statement.finding.expected.statement == asked.published
    });
    match found.map(|statement| &statement.finding) {
        Some(finding) => Answer {
            holds: finding.holds,
            found: finding.found.clone(),
        },
        None => Answer {
            holds: false,
            found: replayed.not_replayed.clone().unwrap_or_default(),
        },
    }
}

#[cfg(test)]
mod tests;
