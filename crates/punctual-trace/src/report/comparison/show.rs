//! Comparisons of reports as tables.

use super::{Change, Comparison, Comparisons, Culprit};
use crate::report::named;
use punctual_data::markdown::Page;
use punctual_data::quantity::{nanos, rounded};
use punctual_data::show::Show;
use punctual_data::table::{Column, Table, or_empty};
use punctual_data::text::{Text, cut, heading, notes, paragraph};
use std::io;

/// The number of those who took more time that are shown; the JSON has all of them.
const MOST_CULPRITS: usize = 8;

/// What it all adds up to.
const ALL: &str = "all";

const CAUSES: &str = "Mean time in a wake-up";
const CULPRITS: &str = "Occupant took more of it than before";

impl Show for Comparisons {
    fn text(&self, out: &mut Text) -> io::Result<()> {
        let mut all = self.comparisons.iter();
        all.try_for_each(|found| one(out, found, self.is_long))
    }

    fn page(&self) -> Page {
        let baseline = self
            .comparisons
            .first()
            .map(|found| found.baseline.as_str());
        let tables = self.comparisons.iter().flat_map(|found| {
            let what = format!("{CAUSES}, {} against {}", found.other, found.baseline);
            [
                (what, causes(found)),
                (CULPRITS.to_owned(), grown(found)),
                ("Lateness".to_owned(), figures(found)),
            ]
        });
        Page {
            title: format!("Compared with {}", baseline.unwrap_or("nothing")),
            tables: tables.filter(|(_, table)| !table.is_empty()).collect(),
            remarks: self.comparisons.iter().flat_map(remarks).collect(),
            ..Page::default()
        }
    }

    fn sheet(&self) -> Table {
        let names = "baseline other cause of_baseline_ns of_other_ns change_ns change_from_ns \
                     change_to_ns verdict";
        Table::sheet(names).with(self.comparisons.iter().flat_map(|found| {
            rows(found).map(|(cause, change)| {
                vec![
                    found.baseline.clone(),
                    found.other.clone(),
                    cause,
                    change.baseline_ns.to_string(),
                    change.other_ns.to_string(),
                    change.change_ns.to_string(),
                    or_empty(change.interval_ns.map(|(from, _)| from)),
                    or_empty(change.interval_ns.map(|(_, to)| to)),
                    change.verdict.to_owned(),
                ]
            })
        }))
    }
}

fn one(out: &mut Text, found: &Comparison, is_long: bool) -> io::Result<()> {
    paragraph(out, &answer(found))?;
    heading(out, CAUSES)?;
    causes(found).text(out)?;
    if is_long {
        let grown = grown(found);
        if !grown.is_empty() {
            heading(out, CULPRITS)?;
            grown.text(out)?;
        }
        heading(out, "Lateness, which is not judged")?;
        figures(found).text(out)?;
    }
    notes(out, &remarks(found))
}

fn answer(found: &Comparison) -> String {
    let (baseline, other, mean) = (&found.baseline, &found.other, &found.mean);
    let Some((low, high)) = mean.interval_ns else {
        return format!("Can't tell whether {other} is later than {baseline}: run longer.");
    };
    let change = signed(mean.change_ns);
    let by = nanos(rounded((high - low) / 2.0));
    let verdict = mean.verdict.replace("no change", "no certain change");
    let most = found.causes.first().map(|most| {
        let changed = signed(most.change.change_ns);
        format!("; {} the most, {changed}", most.cause)
    });
    let most = most.unwrap_or_default();
    format!("{other} against {baseline}: {verdict} on average, {change} ± {by}{most}.")
}

/// The rounded, and then each cause.
fn rows(found: &Comparison) -> impl Iterator<Item = (String, &Change)> {
    let all = (ALL.to_owned(), &found.mean);
    let causes = found.causes.iter();
    let causes = causes.map(|row| (row.cause.to_string(), &row.change));
    [all].into_iter().chain(causes)
}

fn causes(found: &Comparison) -> Table {
    let columns = vec![
        Column::left("cause", 15),
        Column::right("baseline", 10),
        Column::right("this", 10),
        Column::right("change", 10),
        Column::left("  99 % interval", 24),
        Column::left("verdict", 0),
    ];
    Table::of(columns).with(rows(found).map(|(cause, change)| {
        let interval = change.interval_ns.map_or("  -".to_owned(), |(low, high)| {
            format!("  {} to {}", signed(low), signed(high))
        });
        vec![
            cause,
            nanos(rounded(change.baseline_ns)),
            nanos(rounded(change.other_ns)),
            signed(change.change_ns),
            interval,
            change.verdict.to_owned(),
        ]
    }))
}

fn grown(found: &Comparison) -> Table {
    let columns = vec![
        Column::left("cause", 15),
        Column::left("occupant", 31),
        Column::right("baseline", 11),
        Column::right("this", 11),
        Column::right("change", 11),
    ];
    let grown = found.culprits.iter();
    let grown = grown.filter(|culprit| culprit.change_ns() > 0.0);
    Table::of(columns).with(grown.take(MOST_CULPRITS).map(|culprit| {
        vec![
            culprit.cause.to_string(),
            name(culprit),
            nanos(rounded(culprit.baseline_ns)),
            nanos(rounded(culprit.other_ns)),
            signed(culprit.change_ns()),
        ]
    }))
}

fn name(culprit: &Culprit) -> String {
    let named = named(&culprit.occupant, culprit.priority.as_ref());
    cut(&named, 30)
}

fn figures(found: &Comparison) -> Table {
    let columns = vec![
        Column::left("of all wake-ups", 15),
        Column::right("baseline", 10),
        Column::right("this", 10),
    ];
    Table::of(columns).with(found.lateness.iter().map(|figure| {
        vec![
            figure.statistic.to_owned(),
            nanos(figure.baseline_ns),
            nanos(figure.other_ns),
        ]
    }))
}

fn remarks(found: &Comparison) -> Vec<String> {
    let differences = found.differences.iter();
    let differences =
        differences.map(|difference| format!("{} differs: {difference}", found.other));
    let is_unjudged = found.mean.interval_ns.is_none();
    let unjudged = is_unjudged.then(|| {
        "an explanation of so few wake-ups does not show its own variation, so nothing is judged"
            .to_owned()
    });
    differences
        .chain(found.notes.iter().cloned())
        .chain(unjudged)
        .collect()
}

/// A time with its sign.
fn signed(ns: f64) -> String {
    let sign = match rounded(ns.abs()) {
        0 => "",
        _ if ns < 0.0 => "-",
        _ => "+",
    };
    format!("{sign}{}", nanos(rounded(ns.abs())))
}
