//! Which published measurement fixes which rule.

use crate::command_line::FixesArgs;
use crate::following::following;
use punctual_command::failure::Failure;
use punctual_command::output;
use punctual_command::stop::Stop;
use punctual_data::markdown::Page;
use punctual_data::table::{Column, Table};
use punctual_data::text::{Text, WIDTH, heading, wrapped};
use punctual_evidence::{Fixed, Other};
use punctual_windows::{VERSIONS, short};
use serde_json::{Value, json};
use std::io;
use std::process::ExitCode;

/// Changes whenever a key changes its meaning or is removed.
const SCHEMA: &str = "punctual.fixes/1";

const TITLE: &str = "Which published measurement fixes which rule";

const WITHOUT: &str = "Without this case alone, this would survive as well";

const FREE: &str = "Rules that no case fixes";

const HOW: &str = "\
One rule at a time has another value, on one version at a time, and all cases
are replayed. A case that held and then fails excludes the value. Several rules
at once are not changed: a value that is excluded here may survive together with
a change of another rule.";

/// What came of it.
struct Found(Vec<Fixed>);

/// Runs the command.
pub fn fixes(args: &FixesArgs, stop: &Stop) -> Result<ExitCode, Failure> {
    let chosen = args.cases.chosen()?;
    let cases: Vec<_> = chosen.iter().map(|(_, case)| case).collect();
    let guard = stop.guard_while_computing();
    let found = punctual_evidence::fixes(&cases, &following("searching", stop));
    guard.end();
    if let Some(found) = found.map(Found) {
        output::in_format(
            args.format,
            &found.document(),
            |out| found.text(out),
            || found.page(),
            || found.sheet(),
        )?;
    }
    Ok(stop.status())
}

/// Versions in a row for which the evidence says the same of a value.
struct Row<'a> {
    rule: &'a str,
    versions: Vec<&'a str>,
    value: &'a str,
    other: &'a Other,
}

impl Found {
    fn rows(&self) -> Vec<Row<'_>> {
        let mut rows: Vec<Row<'_>> = Vec::new();
        for fixed in &self.0 {
            for other in &fixed.others {
                let like = rows.iter_mut().find(|row| {
                    (row.rule, row.value, row.other) == (fixed.rule, fixed.value, other)
                });
                match like {
                    Some(row) => row.versions.push(fixed.version),
                    None => rows.push(Row {
                        rule: fixed.rule,
                        versions: vec![fixed.version],
                        value: fixed.value,
                        other,
                    }),
                }
            }
        }
        rows
    }

    fn table(&self, most_cases: usize) -> Table {
        let columns = vec![
            Column::of_rows("rule", 18),
            Column::left("versions", 16),
            Column::left("other value", 17),
            Column::left("excluded by", 0),
        ];
        Table::of(columns).with(self.rows().into_iter().map(|row| {
            vec![
                row.rule.to_owned(),
                span(&row.versions),
                row.other.value.to_owned(),
                excluded_by(row.other, most_cases),
            ]
        }))
    }

    /// For each case that alone excludes something, what would survive without it.
    fn without(&self) -> Vec<(String, String)> {
        let mut without: Vec<(String, String)> = Vec::new();
        for row in self.rows() {
            let Some(case) = row.other.hangs_on() else {
                continue;
            };
            let (rule, value) = (row.rule, row.other.value);
            let survives = format!("{rule}={value} on {}", span(&row.versions));
            match without.iter_mut().find(|(known, _)| known == case) {
                Some((_, all)) => *all += &format!(", {survives}"),
                None => without.push((case.to_owned(), survives)),
            }
        }
        without
    }

    /// The rules of which no case excludes another value, each with the versions.
    fn free(&self) -> Vec<(&str, String)> {
        let mut free: Vec<(&str, Vec<&str>)> = Vec::new();
        for fixed in self.0.iter().filter(|fixed| fixed.is_free()) {
            match free.iter_mut().find(|(rule, _)| *rule == fixed.rule) {
                Some((_, versions)) => versions.push(fixed.version),
                None => free.push((fixed.rule, vec![fixed.version])),
            }
        }
        let spans = free.into_iter();
        spans
            .map(|(rule, versions)| (rule, span(&versions)))
            .collect()
    }
}

/// `xp`, `xp to 8` of versions that follow each other, or `all but 8`.
fn span(versions: &[&str]) -> String {
    let all = VERSIONS.map(|version| version.name);
    let mut runs = all.windows(versions.len().max(1));
    let follow = runs.any(|some| some == versions);
    match versions {
        _ if versions.len() == all.len() => "all".to_owned(),
        [first, .., last] if follow => format!("{} to {}", short(first), short(last)),
        versions => match all
            .iter()
            .filter(|name| !versions.contains(name))
            .collect::<Vec<_>>()[..]
        {
            [other] => format!("all but {}", short(other)),
            _ => {
                let names: Vec<_> = versions.iter().copied().map(short).collect();
                names.join(", ")
            }
        },
    }
}

/// The cases, at most so many by name.
fn excluded_by(other: &Other, most: usize) -> String {
    let cases = &other.excluded_by;
    let mut text = match cases.len() {
        0 => "nothing".to_owned(),
        1 => format!("{} alone", cases[0]),
        count if count > most => format!("{} + {}", cases[..most].join(" "), count - most),
        _ => cases.join(" "),
    };
    if !other.wanted_by.is_empty() {
        text += &format!("; wanted by {}", other.wanted_by.join(" "));
    }
    text
}

impl Found {
    fn text(&self, out: &mut Text) -> io::Result<()> {
        /// More do not fit.
        const CASES: usize = 1;
        heading(out, TITLE)?;
        out.lines(HOW)?;
        writeln!(out)?;
        self.table(CASES).text(out)?;
        heading(out, WITHOUT)?;
        for (case, survives) in self.without() {
            writeln!(out, "{case}")?;
            for line in wrapped(&survives, WIDTH - 2) {
                writeln!(out, "  {line}")?;
            }
        }
        heading(out, FREE)?;
        for (rule, versions) in self.free() {
            writeln!(out, "{rule:18}{versions}")?;
        }
        Ok(())
    }

    fn page(&self) -> Page {
        let without = vec![Column::of_rows("case", 0), Column::left("would survive", 0)];
        let free = vec![Column::of_rows("rule", 0), Column::left("versions", 0)];
        let of_cases = self.without().into_iter();
        let of_rules = self.free().into_iter();
        Page {
            title: TITLE.to_owned(),
            tables: vec![
                (String::new(), self.table(usize::MAX)),
                (
                    WITHOUT.to_owned(),
                    Table::of(without).with(of_cases.map(|(case, all)| vec![case, all])),
                ),
                (
                    FREE.to_owned(),
                    Table::of(free)
                        .with(of_rules.map(|(rule, versions)| vec![rule.to_owned(), versions])),
                ),
            ],
            remarks: vec![HOW.replace('\n', " ")],
            ..Page::default()
        }
    }

    fn sheet(&self) -> Table {
        let names = "rule version value other_value excluded_by wanted_by";
        let rows = self.0.iter().flat_map(|fixed| {
            fixed.others.iter().map(|other| {
                vec![
                    fixed.rule.to_owned(),
                    fixed.version.to_owned(),
                    fixed.value.to_owned(),
                    other.value.to_owned(),
                    other.excluded_by.join(" "),
                    other.wanted_by.join(" "),
                ]
            })
        });
        Table::sheet(names).with(rows)
    }

    fn document(&self) -> Value {
        json!({
            "schema": SCHEMA,
            "punctual_version": env!("CARGO_PKG_VERSION"),
            "rules": self.0.iter().map(fixed).collect::<Vec<_>>(),
        })
    }
}

fn fixed(fixed: &Fixed) -> Value {
    let others: Vec<_> = fixed.others.iter().map(other).collect();
    json!({
        "rule": fixed.rule,
        "version": fixed.version,
        "value": fixed.value,
        "others": others,
    })
}

/// `hangs_on` is the one case without which the value would survive.
fn other(other: &Other) -> Value {
    json!({
        "value": other.value,
        "excluded_by": other.excluded_by,
        "wanted_by": other.wanted_by,
        "hangs_on": other.hangs_on(),
    })
}
