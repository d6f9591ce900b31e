//! Comparisons as tables, below their answers.

use super::{Comparisons, NamedComparison, reason};
use punctual_data::markdown::Page;
use punctual_data::means::Verdict;
use punctual_data::quantity::{nanos, percent, rounded};
use punctual_data::show::Show;
use punctual_data::table::{Column, Table, or_empty};
use punctual_data::text::{Text, notes, paragraph};
use punctual_lab::compare::{Statistic, StatisticComparison};
use punctual_lab::confidence::Confidence;
use punctual_windows::confidence::text as confidence;
use std::collections::BTreeMap;
use std::io;

impl Show for Comparisons {
    fn text(&self, out: &mut Text) -> io::Result<()> {
        let mut all = self.all.iter();
        all.try_for_each(|found| one(out, found, self.is_long))
    }

    fn page(&self) -> Page {
        let baseline = self.all.first().map(|first| first.baseline.as_str());
        let tables = self.all.iter().map(|found| {
            let what = format!("{} against {}", found.other, found.baseline);
            (what, table(found, true))
        });
        Page {
            title: format!("Compared with {}", baseline.unwrap_or("nothing")),
            tables: tables.collect(),
            remarks: self
                .all
                .iter()
                .flat_map(|found| remarks(found, true))
                .collect(),
            machine: Vec::new(),
            ..Page::default()
        }
    }

    fn sheet(&self) -> Table {
        let names = "baseline other method statistic unit of_baseline of_other ratio \
                     ratio_from ratio_to verdict";
        Table::sheet(names).with(self.all.iter().flat_map(sheet_rows))
    }
}

/// All statistics, or only the one that the answer is about.
fn table(named: &NamedComparison, is_long: bool) -> Table {
    let columns = vec![
        Column::left("method", 19),
        Column::left("statistic", 10),
        Column::right("baseline", 9),
        Column::right("this", 9),
        Column::right("ratio", 7),
        Column::left("  99 % interval", 16),
        Column::left("verdict", 0),
    ];
    let rows = named.comparison.methods.iter().flat_map(|method| {
        let shown = method.statistics.iter();
        let shown = shown.filter(move |found| is_long || found.statistic == ANSWERED);
        shown.map(|found| {
            let mut cells = vec![method.method.clone(), found.statistic.name().to_owned()];
            cells.extend(figures(found));
            cells.push(found.verdict().name().to_owned());
            cells
        })
    });
    Table::of(columns).with(rows)
}

/// The statistic that the answer is about.
const ANSWERED: Statistic = Statistic::P99;

/// The greatest change that is certain, and how many there are.
fn answer(named: &NamedComparison) -> String {
    let (baseline, other) = (&named.baseline, &named.other);
    let mut counts = BTreeMap::new();
    let mut most: Option<(f64, String)> = None;
    for method in &named.comparison.methods {
        let answered = |found: &&StatisticComparison| found.statistic == ANSWERED;
        let found = method.statistics.iter().find(answered);
        let Some((found, (low, high))) = found.and_then(|found| Some((found, found.interval?)))
        else {
            continue;
        };
        let judged = found.verdict();
        *counts.entry(judged.name()).or_insert(0) += 1;
        let changed = found.ratio.filter(|_| judged != Verdict::NoChange);
        if let Some(changed) = changed {
            let (by, size) = ((high - low) / 2.0, changed.ln().abs());
            let by = match by {
                ..0.005 => String::new(),
                _ => format!("± {} ", ratio(by)),
            };
            let method = &method.method;
            let text = format!(
                "{method} wakes {} × {by}as late at p99 in {other} as in {baseline}",
                ratio(changed)
            );
            most = most
                .filter(|(before, _)| *before >= size)
                .or(Some((size, text)));
        }
    }
    let counted = counts
        .iter()
        .map(|(verdict, count)| format!("{count} {verdict}"));
    let counted = counted.collect::<Vec<_>>().join(", ");
    match most {
        Some((_, text)) => format!("{text}. Of all: {counted}."),
        None if counts.is_empty() => {
            format!(
                "Can't tell whether {other} is later than {baseline}: run longer, or the same methods."
            )
        }
        None => format!("No change at p99 between {baseline} and {other}: {counted}."),
    }
}

/// The notes below the tables.
fn remarks(named: &NamedComparison, is_long: bool) -> Vec<String> {
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
    let trusted = match is_long || predicted.is_empty() {
        true => confidence::remarks(&predicted),
        false => vec!["these are predictions; --long says how far to trust each".to_owned()],
    };
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
                found.verdict().name().to_owned(),
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
    let interval = found.interval.map_or("  -".to_owned(), |(low, high)| {
        format!("  {} to {}", ratio(low), ratio(high))
    });
    [
        show(found.baseline),
        show(found.other),
        found.ratio.map_or("-".to_owned(), ratio),
        interval,
    ]
}

fn one(out: &mut Text, named: &NamedComparison, is_long: bool) -> io::Result<()> {
    paragraph(out, &answer(named))?;
    writeln!(out)?;
    table(named, is_long).text(out)?;
    notes(out, &remarks(named, is_long))
}

/// Two digits after the point up to ten, fewer above.
fn ratio(ratio: f64) -> String {
    if ratio < 10.0 {
        format!("{ratio:.2}")
    } else {
        format!("{ratio:.0}")
    }
}
