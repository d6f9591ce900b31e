//! The simulated machines as a table: a line per value of a rule, a column per version.

use super::{Catalogue, Rule};
use crate::show::Show;
use punctual_data::markdown::Page;
use punctual_data::table::{Column, Table};
use punctual_data::text::{Text, WIDTH, heading, wrapped};
use punctual_lab::simulated::Parameter;
use std::io;

/// The widths of a rule's name and value: the longest, and a space.
const NAME: usize = 18;
const VALUE: usize = 16;
/// Columns of a version.
const VERSION: usize = 8;
/// The widths of a setting's name, and of its value with the space after it.
const PARAMETER: usize = 20;
const SET_TO: usize = 11;

/// The mark of a version that has the value.
const HAS: char = '●';

impl Show for Catalogue {
    fn text(&self, out: &mut Text) -> io::Result<()> {
        text(out, self)
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
    let columns = names.map(|name| Column::left(name, 0)).collect();
    Table::of(columns).with(catalogue.rules.iter().map(|rule| {
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
    let columns = names.map(|name| Column::left(name, 0)).to_vec();
    Table::of(columns).with(catalogue.parameters.iter().map(|parameter| {
        let cells = [parameter.name, parameter.value.as_str(), parameter.about];
        cells.map(str::to_owned).to_vec()
    }))
}

const CONTRADICTED: &str = "\
No values of the rules hr-* account for all that was published of
high-resolution timers: punctual-evidence replay --source SIL";

/// The table, and in the long form what each rule decides and which cases fix it.
fn text(out: &mut Text, catalogue: &Catalogue) -> io::Result<()> {
    let long = catalogue.is_long;
    heading(out, "Simulated machines, for --on")?;
    for line in wrapped(&catalogue.versions.join(", "), WIDTH - 2) {
        writeln!(out, "  {line}")?;
    }
    heading(out, "The rules in which they differ")?;
    differences(out, catalogue)?;
    heading(out, "Rules that are the same on all")?;
    for rule in catalogue.rules.iter().filter(|rule| !rule.differs()) {
        let others = rule.values.iter().copied();
        let others: Vec<_> = others
            .filter(|value| *value != rule.by_version[0])
            .collect();
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
        catalogue
            .rules
            .iter()
            .try_for_each(|rule| evidence(out, rule))?;
    }
    heading(out, "Hardware and settings, with their defaults")?;
    let mut parameters = catalogue.parameters.iter();
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

fn differences(out: &mut Text, catalogue: &Catalogue) -> io::Result<()> {
    let short = |name: &&str| format!("{:^VERSION$}", name.trim_start_matches("windows-"));
    let head: String = catalogue.versions.iter().map(short).collect();
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
    let (mut name, mut value) = (parameter.name, parameter.value.as_str());
    for line in wrapped(parameter.about, WIDTH - PARAMETER - SET_TO) {
        writeln!(out, "{name:PARAMETER$}{value:>9}  {line}")?;
        (name, value) = ("", "");
    }
    Ok(())
}

fn cell(has: bool) -> String {
    format!("{:^VERSION$}", if has { HAS } else { '·' })
}

fn evidence(out: &mut Text, rule: &Rule) -> io::Result<()> {
    let cases = match rule.evidence {
        [] => "no published number".to_owned(),
        cases => cases.join(", "),
    };
    let values = rule.values.join(", ");
    let text = format!("{} ({values}): {cases}", rule.about);
    let mut name = rule.name;
    for line in wrapped(&text, WIDTH - NAME) {
        writeln!(out, "{name:NAME$}{line}")?;
        name = "";
    }
    Ok(())
}
