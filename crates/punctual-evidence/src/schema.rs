//! Sources and their cases: a file of the directory `cases`.

use super::run::Run;
use super::whose::Whose;
use serde::Deserialize;

/// A file: a source and what it published.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Where the numbers come from.
    pub source: About,
    /// One per published number or statement.
    pub case: Vec<Case>,
}

/// Where numbers come from.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct About {
    /// The short name used everywhere.
    pub name: String,
    /// What it is called.
    pub title: String,
    /// Who wrote it, and where.
    pub author: String,
    /// When.
    pub published: String,
    /// How the numbers were taken.
    #[serde(default)]
    pub note: String,
    /// What the ids of its cases begin with.
    pub prefixes: Vec<String>,
}

/// A published number or statement.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Case {
    /// What it is called, for ever.
    pub id: String,
    /// What was published, in words.
    pub says: String,
    /// What a replay takes.
    pub needs: Needs,
    /// The command lines that ask the same question of a simulated machine, one or several; none
    /// for a case that is only quoted.
    #[serde(default)]
    pub ask: Vec<String>,
    /// Whose the tolerances are, if a statement does not say otherwise.
    pub tolerance: Whose,
    /// Why tolerances of ours are what they are, if a statement does not say otherwise.
    pub reason: Option<String>,
    /// Keys whose values are inferred or fitted, each with the reason.
    #[serde(default)]
    pub ours: Vec<String>,
    #[serde(default)]
    setup: Run,
    #[serde(default)]
    run: Vec<Run>,
}

/// What a replay takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Needs {
    /// Ticks and waits are enough.
    Rules,
    /// Processors, load, companions that act in time.
    Machine,
    /// It is quoted: no rule could be wrong about it.
    Nothing,
}

impl Case {
    /// The setup itself, or each of its variations.
    pub fn runs(&self) -> Vec<Run> {
        let mut runs = if self.run.is_empty() {
            vec![self.setup.clone()]
        } else {
            let filled_in = self.run.iter().map(|run| run.filled_in(&self.setup));
            filled_in.collect()
        };
        for expectation in runs.iter_mut().flat_map(|run| &mut run.expect) {
            let whose = *expectation.tolerance.get_or_insert(self.tolerance);
            if whose == Whose::Ours && expectation.reason.is_none() {
                expectation.reason.clone_from(&self.reason);
            }
        }
        runs
    }
}
