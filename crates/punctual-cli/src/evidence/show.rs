//! Published measurements next to the simulated results, a row per case.

use super::{Replayed, Row};
use crate::show::table::Column;
use crate::show::{ATTENTION, Page, Show, Table, heading, styled_line};
use crate::text::Text;
use punctual_lab::evidence::{Prediction, Replay, RuleChange, Verdict};
use std::io;

/// The width of the longest id.
const ID: usize = 27;
const PUBLISHED: usize = 20;
const SIMULATED: usize = 14;
const WIDTH: usize = 80;

impl Show for Replayed {
    fn text(&self, out: &mut Text) -> io::Result<()> {
        text(out, self)
    }

    fn page(&self) -> Page {
        let columns = ["case", "published", "simulated", "verdict"];
        let columns = columns.map(|name| Column::left(name, 0)).to_vec();
        let rows = self.rows.iter().map(|row| {
            let (published, simulated) = telling(&row.replay);
            vec![
                row.case.id.clone(),
                published,
                simulated,
                verdict(&row.replay),
            ]
        });
        Page {
            title: title(&self.changes),
            tables: vec![(String::new(), Table::of(columns).with(rows))],
            remarks: vec![UNITS.replace('\n', " "), sum(&self.rows)],
            machine: Vec::new(),
            ..Page::default()
        }
    }

    fn sheet(&self) -> Table {
        let names = [
            "source",
            "case",
            "variation",
            "version",
            "published",
            "simulated",
            "holds",
        ];
        let rows = self.rows.iter().flat_map(|row| {
            row.replay.statements.iter().map(|statement| {
                let finding = &statement.finding;
                vec![
                    row.source.clone(),
                    row.case.id.clone(),
                    statement.variation.to_string(),
                    statement.version.clone(),
                    finding.expected.statement.to_string(),
                    finding.found.clone(),
                    finding.holds.to_string(),
                ]
            })
        });
        Table::sheet(&names).with(rows)
    }
}

const UNITS: &str = "\
Values are in milliseconds; those of powercfg are in units of 100 ns. Of several
statements, the first one that fails is shown, or the first; --json has all.";

/// The table, the sum and the reasons.
fn text(out: &mut Text, replayed: &Replayed) -> io::Result<()> {
    let (rows, predicted) = (&replayed.rows, &replayed.predicted);
    heading(out, &title(&replayed.changes))?;
    let [id, published, simulated] = ["case", "published", "simulated"];
    writeln!(out, "{id:ID$} {published:PUBLISHED$} {simulated}")?;
    for row in rows {
        self::row(out, row)?;
    }
    out.lines(UNITS)?;
    reasons(out, "Expected to fail", rows, |replay| {
        let reasons = replay.reasons().into_iter().map(str::to_owned);
        (replay.verdict() == Verdict::ExpectedToFail).then(|| reasons.collect())
    })?;
    reasons(out, "Not replayed", rows, |replay| {
        replay.not_replayed.clone().map(|reason| vec![reason])
    })?;
    predictions(out, predicted)?;
    writeln!(out)?;
    writeln!(out, "{}", sum(rows))
}

fn title(changes: &[RuleChange]) -> String {
    let mut title = "Published measurements and simulated machines".to_owned();
    for change in changes {
        title += &format!(", {change}");
    }
    shortened(&title, WIDTH)
}

fn row(out: &mut Text, row: &Row) -> io::Result<()> {
    let (published, simulated) = telling(&row.replay);
    let verdict = verdict(&row.replay);
    let id = &row.case.id;
    let published = shortened(&published, PUBLISHED);
    let simulated = shortened(&simulated, SIMULATED);
    write!(
        out,
        "{id:ID$} {published:PUBLISHED$} {simulated:SIMULATED$} "
    )?;
    if row.replay.verdict() == Verdict::Fails {
        styled_line(out, ATTENTION, &verdict)
    } else {
        writeln!(out, "{verdict}")
    }
}

/// The published value, and the simulated one.
fn telling(replay: &Replay) -> (String, String) {
    let finding = replay.telling().map(|statement| &statement.finding);
    let shown = finding.map(|finding| {
        (
            finding.expected.statement.to_string(),
            finding.found.clone(),
        )
    });
    shown.unwrap_or_default()
}

fn verdict(replay: &Replay) -> String {
    let all = replay.statements.len();
    let failing = replay
        .statements
        .iter()
        .filter(|statement| !statement.finding.is_fine());
    match replay.verdict() {
        Verdict::Holds => "holds".to_owned(),
        Verdict::ExpectedToFail => "expected to fail".to_owned(),
        Verdict::NotReplayed => "not replayed".to_owned(),
        Verdict::Fails => format!("FAILS {} of {all}", failing.count()),
    }
}

/// A section with the cases that have a reason.
fn reasons(
    out: &mut Text,
    title: &str,
    rows: &[Row],
    of: impl Fn(&Replay) -> Option<Vec<String>>,
) -> io::Result<()> {
    let found: Vec<_> = rows
        .iter()
        .filter_map(|row| Some((row, of(&row.replay)?)))
        .collect();
    if found.is_empty() {
        return Ok(());
    }
    heading(out, title)?;
    for (row, reasons) in found {
        writeln!(out, "{}", row.case.id)?;
        for reason in reasons {
            for line in wrapped(&reason, WIDTH - 2) {
                writeln!(out, "  {line}")?;
            }
        }
    }
    Ok(())
}

fn predictions(out: &mut Text, predicted: &[Prediction]) -> io::Result<()> {
    if predicted.is_empty() {
        return Ok(());
    }
    heading(out, "Predictions, for which no measurement is published")?;
    for Prediction {
        says,
        version,
        simulated,
    } in predicted
    {
        writeln!(out, "{version}: {says:48} {simulated}")?;
    }
    Ok(())
}

fn sum(rows: &[Row]) -> String {
    let count = |wanted| {
        rows.iter()
            .filter(|row| row.replay.verdict() == wanted)
            .count()
    };
    format!(
        "{} cases: {} hold, {} fail, {} expected to fail, {} not replayed",
        rows.len(),
        count(Verdict::Holds),
        count(Verdict::Fails),
        count(Verdict::ExpectedToFail),
        count(Verdict::NotReplayed),
    )
}

fn shortened(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().take(width - 1).collect();
    kept.trim_end().to_owned() + "…"
}

fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        let line = &mut lines[last];
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}
