//! Sources and their cases: a file of the directory `cases`.

use super::run::Run;
use crate::expect::Whose;
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

/// The file of one table: its name, and its text.
const FILES: [(&str, &str); 1] = [("mic-table.txt", include_str!("../cases/mic-table.txt"))];

/// A table of requested intervals and what they were answered with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// In the order in which they were asked for.
    pub rows: Vec<Row>,
}

/// A request and its answer, in units of 100 ns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// What was asked for.
    pub requested: u32,
    /// What was in force then.
    pub actual: u32,
}

impl Table {
    /// The table of that file.
    ///
    /// # Panics
    /// If there is none, or it is not as the directory's README describes it: they are part of the
    /// program.
    pub fn named(name: &str) -> Self {
        let file = FILES.into_iter().find(|(file, _)| *file == name);
        let (_, text) = file.unwrap_or_else(|| panic!("there is no table {name}"));
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        Self {
            rows: lines.flat_map(rows).collect(),
        }
    }
}

/// A line is `FIRST ACTUAL COUNT`: so many requests from the first on, each a unit larger than the
/// one before, and all answered alike.
fn rows(line: &str) -> Vec<Row> {
    let numbers: Result<Vec<u32>, _> = line.split_whitespace().map(str::parse).collect();
    let Ok([first, actual, count]) = numbers.as_deref() else {
        panic!("not a line of a table: {line:?}");
    };
    let requested = *first..first + count;
    let row = |requested| Row {
        requested,
        actual: *actual,
    };
    requested.map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_every_row_that_was_published() {
        let rows = Table::named("mic-table.txt").rows;
        let requested: Vec<u32> = rows.iter().map(|row| row.requested).collect();
        assert_eq!(requested, Vec::from_iter(5_000..=6_000));
        let row = |requested, actual| Row { requested, actual };
        assert_eq!([rows[13], rows[14]], [row(5_013, 4_960), row(5_014, 5_013)]);
        assert_eq!(rows[1_000], row(6_000, 5_973));
    }
}
