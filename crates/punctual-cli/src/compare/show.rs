//! Comparisons as tables, with a block of rows for each method.

use super::{Comparisons, NamedComparison, reason, verdict};
use crate::show::Show;
use crate::show::confidence::{self, borrowed};
use punctual_data::markdown::Page;
use punctual_data::quantity::{nanos, percent, rounded};
use punctual_data::table::{Column, Table, or_empty};
use punctual_data::text::{ATTENTION, HEADING, Text, WIDTH, heading, styled_line, wrapped};
use punctual_lab::compare::{MethodComparison, StatisticComparison, Verdict};
use punctual_lab::confidence::Confidence;
use std::io;

impl Show for Comparisons {
    fn text(&self, out: &mut Text) -> io::Result<()> {
        let mut comparisons = self.0.iter();
        comparisons.try_for_each(|comparison| one(out, comparison))
    }

    fn page(&self) -> Page {
        let baseline = self.0.first().map(|first| first.baseline.as_str());
        let tables = self.0.iter().map(|found| {
            let what = format!("{} against {}", found.other, found.baseline);
            (what, table(found))
        });
        Page {
            title: format!("Compared with {}", baseline.unwrap_or("nothing")),
            tables: tables.collect(),
            remarks: self.0.iter().flat_map(remarks).collect(),
            machine: Vec::new(),
            ..Page::default()
        }
    }

    fn sheet(&self) -> Table {
        let names = "baseline other method statistic unit of_baseline of_other ratio \
                     ratio_from ratio_to verdict";
        Table::sheet(names).with(self.0.iter().flat_map(sheet_rows))
    }
}

fn table(named: &NamedComparison) -> Table {
    let columns = vec![
        Column::left("method", 0),
        Column::left("statistic", 0),
        Column::right("baseline", 0),
        Column::right("this", 0),
        Column::right("ratio", 0),
        Column::left("99 % interval", 0),
        Column::left("verdict", 0),
    ];
    let rows = named.comparison.methods.iter().flat_map(|method| {
        method.statistics.iter().map(|found| {
            let mut cells = vec![method.method.clone(), found.statistic.name().to_owned()];
            cells.extend(figures(found));
            cells.push(verdict(found.verdict()).to_owned());
            cells
        })
    });
    Table::of(columns).with(rows)
}

/// The notes below the tables.
fn remarks(named: &NamedComparison) -> Vec<String> {
    let (comparison, other) = (&named.comparison, &named.other);
    let differences = comparison.differences.iter();
    let differences = differences.map(|difference| format!("{other} differs: {difference}"));
    let unmatched = comparison.unmatched.iter();
    let unmatched = unmatched.map(|method| format!("only one of them measured {method}"));
    let unjudged = comparison.methods.iter().filter_map(|method| {
        let reason = reason(method.unjudged?);
        Some(format!("{} is not judged: {reason}", method.method))
    });
    let predicted = predicted(named);
    let trusted = confidence::remarks(&borrowed(&predicted));
    differences
        .chain(unmatched)
        .chain(unjudged)
        .chain(trusted)
        .collect()
}

/// How far the figures of each compared method can be trusted on each side, if they are predictions.
fn predicted(named: &NamedComparison) -> Vec<(String, &Confidence)> {
    let sides = [&named.baseline, &named.other].into_iter();
    let all = sides.zip(&named.trusted).flat_map(|(side, trusted)| {
        let methods = named.comparison.methods.iter();
        methods.filter_map(move |found| {
            let said = trusted.get(&found.method)?;
            Some((format!("{} of {side}", found.method), said))
        })
    });
    all.collect()
}

fn sheet_rows(named: &NamedComparison) -> impl Iterator<Item = Vec<String>> {
    named.comparison.methods.iter().flat_map(move |method| {
        method.statistics.iter().map(move |found| {
            let unit = if found.statistic.is_time() {
                "ns"
            } else {
                "share"
            };
            vec![
                named.baseline.clone(),
                named.other.clone(),
                method.method.clone(),
                found.statistic.name().to_owned(),
                unit.to_owned(),
                found.baseline.to_string(),
                found.other.to_string(),
                or_empty(found.ratio),
                or_empty(found.interval.map(|(from, _)| from)),
                or_empty(found.interval.map(|(_, to)| to)),
                verdict(found.verdict()).to_owned(),
            ]
        })
    })
}

/// Both sides, their ratio, and its interval.
fn figures(found: &StatisticComparison) -> [String; 4] {
    let show = |value: f64| {
        if found.statistic.is_time() {
            nanos(rounded(value))
        } else {
            percent(value)
        }
    };
    let interval = found.interval.map_or("-".to_owned(), |(low, high)| {
        format!("{} to {}", ratio(low), ratio(high))
    });
    [
        show(found.baseline),
        show(found.other),
        found.ratio.map_or("-".to_owned(), ratio),
        interval,
    ]
}

fn one(out: &mut Text, named: &NamedComparison) -> io::Result<()> {
    let comparison = &named.comparison;
    heading(out, &format!("{} against {}", named.other, named.baseline))?;
    for difference in &comparison.differences {
        differs(out, difference)?;
    }
    if !comparison.unmatched.is_empty() {
        let methods = comparison.unmatched.join(", ");
        paragraph(out, &format!("Only one of them measured this: {methods}."))?;
    }
    if comparison.methods.is_empty() {
        return writeln!(
            out,
            "The recordings have no method in common, so nothing can be compared."
        );
    }
    let head = format!(
        "{:11}{:>10}{:>10}{:>9}   {:18}",
        "", "baseline", "this", "ratio", "99 % interval"
    );
    writeln!(out, "{}", head.trim_end())?;
    for found in &comparison.methods {
        method(out, found)?;
    }
    let predicted = predicted(named);
    confidence::write(out, &borrowed(&predicted))
}

fn method(out: &mut Text, found: &MethodComparison) -> io::Result<()> {
    styled_line(out, HEADING, &found.method)?;
    for statistic in &found.statistics {
        row(out, statistic)?;
    }
    match found.unjudged {
        Some(unjudged) => writeln!(out, "  not judged: {}", reason(unjudged)),
        None => Ok(()),
    }
}

fn row(out: &mut Text, found: &StatisticComparison) -> io::Result<()> {
    let judged = found.verdict();
    let style = match judged {
        Verdict::Lower | Verdict::Higher => ATTENTION,
        Verdict::NoChange | Verdict::Unjudged => anstyle::Style::new(),
    };
    let [baseline, other, ratio, interval] = figures(found);
    write!(
        out,
        "  {:9}{baseline:>10}{other:>10}{ratio:>9}   {interval:18}",
        found.statistic.name(),
    )?;
    styled_line(out, style, verdict(judged))
}

/// Two digits after the point up to ten, fewer above.
fn ratio(ratio: f64) -> String {
    if ratio < 10.0 {
        format!("{ratio:.2}")
    } else {
        format!("{ratio:.0}")
    }
}

/// A difference, behind a label.
fn differs(out: &mut Text, difference: &str) -> io::Result<()> {
    const LABEL: &str = "differs:";
    let mut lines = wrapped(&format!("{LABEL} {difference}"), WIDTH);
    let first = lines.next().unwrap_or_default();
    out.styled(ATTENTION, LABEL)?;
    writeln!(out, "{}", first.trim_start_matches(LABEL))?;
    lines.try_for_each(|line| writeln!(out, "{line}"))
}

fn paragraph(out: &mut Text, text: &str) -> io::Result<()> {
    for line in wrapped(text, WIDTH) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}
