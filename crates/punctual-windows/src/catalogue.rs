//! The versions of Windows, their rules and their settings, as a table.

use crate::{MachineParameters, Parameter, SCHEMA, VERSIONS, short};
use punctual_data::markdown::Page;
use punctual_data::show::Show;
use punctual_data::table::Table;
use punctual_data::text::{Text, beside, heading};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use std::io;

/// The catalogue of machines.
pub struct Catalogue {
    /// The versions' names, oldest first.
    pub versions: Vec<&'static str>,
    /// The rules, in the order in which they are explained.
    pub rules: Vec<RuleRow>,
    /// The settings of a machine, with their defaults.
    pub parameters: Vec<Parameter>,
    /// Whether the text says what each rule decides, and which cases fix it.
    pub is_long: bool,
}

/// A rule, over all versions.
pub struct RuleRow {
    /// Its name.
    pub name: &'static str,
    /// What it decides.
    pub about: &'static str,
    /// The possible values.
    pub values: &'static [&'static str],
    /// The value in each version.
    pub by_version: Vec<&'static str>,
    /// The ids of the cases that fix it.
    pub evidence: &'static [&'static str],
}

impl RuleRow {
    /// Whether any two versions differ in it.
    pub fn differs(&self) -> bool {
        let mut values = self.by_version.iter();
        values.any(|value| *value != self.by_version[0])
    }
}

impl Catalogue {
    /// All versions.
    pub fn collect() -> Self {
        let all: Vec<Vec<_>> = VERSIONS
            .iter()
            .map(|version| version.rules.iter().collect())
            .collect();
        let rule = |index: usize| RuleRow {
            name: all[0][index].name,
            about: all[0][index].about,
            values: all[0][index].values,
            by_version: all.iter().map(|rules| rules[index].value).collect(),
            evidence: all[0][index].evidence,
        };
        Self {
            versions: VERSIONS.iter().map(|version| version.name).collect(),
            rules: (0..all[0].len()).map(rule).collect(),
            parameters: MachineParameters::default().iter().collect(),
            is_long: false,
        }
    }
}

impl Serialize for Catalogue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let machine = |(index, name): (usize, &&str)| {
            let values = self.rules.iter().map(|rule| {
                let value = Value::from(rule.by_version[index]);
                (rule.name.to_owned(), value)
            });
            json!({ "name": name, "rules": values.collect::<Map<_, _>>() })
        };
        let rules = self.rules.iter().map(|rule| {
            json!({
                "name": rule.name,
                "about": rule.about,
                "values": rule.values,
                "evidence": rule.evidence,
            })
        });
        let parameters = self.parameters.iter().map(|parameter| {
            json!({
                "name": parameter.name,
                "default": parameter.value,
                "about": parameter.about,
            })
        });
        json!({
            "schema": SCHEMA,
            "machines": self.versions.iter().enumerate().map(machine).collect::<Vec<_>>(),
            "rules": rules.collect::<Vec<_>>(),
            "parameters": parameters.collect::<Vec<_>>(),
        })
        .serialize(serializer)
    }
}

// The simulated machines as a table: a line per value of a rule, a column per version.

/// The widths of a rule's name and value: the longest, and a space.
const NAME: usize = 18;
const VALUE: usize = 16;
/// Columns of a version.
const VERSION: usize = 6;
/// The widths of a setting's name, and of its value with the space after it.
const PARAMETER: usize = 20;
const SET_TO: usize = 11;

/// The mark of a version that has the value.
const HAS: char = '●';

impl Show for Catalogue {
    /// In the long form also what each rule decides, and which cases fix it.
    fn text(&self, out: &mut Text) -> io::Result<()> {
        let long = self.is_long;
        heading(out, "Simulated machines, for --on")?;
        beside(out, "", 2, &self.versions.join(", "))?;
        heading(out, "The rules in which they differ")?;
        differences(out, self)?;
        heading(out, "Rules that are the same on all")?;
        for rule in self.rules.iter().filter(|rule| !rule.differs()) {
            let others = rule.values.iter().copied();
            let others = others.filter(|value| *value != rule.by_version[0]);
            let others = others.collect::<Vec<_>>();
            let (name, value) = (rule.name, rule.by_version[0]);
            writeln!(
                out,
                "{name:NAME$}{value:VALUE$}other values: {}",
                others.join(", ")
            )?;
        }
        out.lines(CONTRADICTED)?;
        if long {
            heading(
                out,
                "What each rule decides (its values), and the published cases that fix it",
            )?;
            self.rules.iter().try_for_each(|rule| evidence(out, rule))?;
        }
        heading(out, "Hardware and settings, with their defaults")?;
        let mut parameters = self.parameters.iter();
        parameters.try_for_each(|parameter| setting(out, parameter))?;
        out.lines(
            "Settings and rules may follow the name, in any order:\n\
             \x20 --on windows-7,default-interval=15.6ms,processors=2\n\
             \x20 --on windows-10-2004,due-time=coarse\n\
             With another rule than its version's, nothing published is about the machine.",
        )?;
        if !long {
            writeln!(
                out,
                "--long shows what each rule decides and which published cases fix it"
            )?;
        }
        Ok(())
    }

    fn page(&self) -> Page {
        Page {
            title: "Simulated machines and their rules".to_owned(),
            tables: vec![
                (String::new(), rules(self)),
                ("Hardware and settings".to_owned(), settings(self)),
            ],
            ..Page::default()
        }
    }

    fn sheet(&self) -> Table {
        rules(self)
    }
}

/// A row per rule, a column per version.
fn rules(catalogue: &Catalogue) -> Table {
    let versions = catalogue.versions.iter().copied();
    let names = ["rule"]
        .into_iter()
        .chain(versions)
        .chain(["decides", "fixed by"]);
    Table::wide(names).with(catalogue.rules.iter().map(|rule| {
        let values = rule.by_version.iter().copied();
        let cells = [rule.name].into_iter().chain(values);
        let cases = rule.evidence.join(", ");
        cells
            .chain([rule.about, &cases])
            .map(str::to_owned)
            .collect()
    }))
}

fn settings(catalogue: &Catalogue) -> Table {
    let names = ["setting", "default", "meaning"];
    Table::wide(names).with(catalogue.parameters.iter().map(|parameter| {
        let cells = [parameter.name, parameter.value.as_str(), parameter.about];
        cells.map(str::to_owned).to_vec()
    }))
}

const CONTRADICTED: &str = "\
No values of the rules hr-* account for all that was published of
high-resolution timers: punctual-evidence replay --source SIL";

fn differences(out: &mut Text, catalogue: &Catalogue) -> io::Result<()> {
    let head = catalogue.versions.iter();
    let head: String = head
        .map(|name| format!("{:^VERSION$}", short(name)))
        .collect();
    writeln!(out, "{:NAME$}{:VALUE$}{}", "", "", head.trim_end())?;
    for rule in catalogue.rules.iter().filter(|rule| rule.differs()) {
        let used = |value: &&&str| rule.by_version.contains(value);
        for (line, value) in rule.values.iter().filter(used).enumerate() {
            let name = if line == 0 { rule.name } else { "" };
            let marks: String = rule
                .by_version
                .iter()
                .map(|has| cell(has == value))
                .collect();
            writeln!(out, "{name:NAME$}{value:VALUE$}{}", marks.trim_end())?;
        }
    }
    Ok(())
}

fn setting(out: &mut Text, parameter: &Parameter) -> io::Result<()> {
    let (name, value) = (parameter.name, parameter.value.as_str());
    let name = format!("{name:PARAMETER$}{value:>9}  ");
    beside(out, &name, PARAMETER + SET_TO, parameter.about)
}

fn cell(has: bool) -> String {
    format!("{:^VERSION$}", if has { HAS } else { '·' })
}

fn evidence(out: &mut Text, rule: &RuleRow) -> io::Result<()> {
    let cases = match rule.evidence {
        [] => "no published number".to_owned(),
        cases => cases.join(", "),
    };
    let values = rule.values.join(", ");
    let text = format!("{} ({values}): {cases}", rule.about);
    beside(out, rule.name, NAME, &text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_described() {
        let catalogue = Catalogue::collect();
        assert!(catalogue.rules.iter().all(|rule| !rule.about.is_empty()));
        let mut parameters = catalogue.parameters.iter();
        assert!(parameters.all(|parameter| !parameter.about.is_empty()));
    }

    #[test]
    fn the_great_rule_change_is_among_the_differences() {
        let catalogue = Catalogue::collect();
        let find = |name: &str| {
            catalogue
                .rules
                .iter()
                .find(|rule| rule.name == name)
                .unwrap()
        };
        let reach = find("request-reach");
        let (machine, process) = ("machine", "process");
        let changed = [[machine; 4].as_slice(), &[process; 3]].concat();
        assert_eq!(reach.by_version, changed);
        assert!(reach.differs() && !find("idle-expiry").differs());
    }
}
