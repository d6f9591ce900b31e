//! Published measurements next to the simulated results, a row per case.

use super::{Replayed, Row};
use punctual_data::markdown::Page;
use punctual_data::table::{Column, Table};
use punctual_data::text::{ATTENTION, Text, WIDTH, cut, heading, styled_line, wrapped};
use punctual_evidence::{Replay, RuleChange, Verdict};
use std::io;

/// The width of the longest id.
const ID: usize = 27;
const PUBLISHED: usize = 20;
const SIMULATED: usize = 14;
const WHOSE: usize = 6;

impl Replayed {
    pub(super) fn text(&self, out: &mut Text) -> io::Result<()> {
        let rows = &self.rows;
        heading(out, &title(&self.changes))?;
        let [id, published, simulated, whose] = ["case", "published", "simulated", "whose"];
        writeln!(
            out,
            "{id:ID$} {published:PUBLISHED$} {simulated:SIMULATED$} {whose:WHOSE$} verdict"
        )?;
        for each in rows {
            row(out, each)?;
        }
        out.lines(UNITS)?;
        reasons(out, "Wrong", rows, |replay| {
            (replay.verdict() == Verdict::ExpectedToFail).then(|| why(replay))
        })?;
        reasons(out, "Not replayed", rows, |replay| {
            replay.not_replayed.clone().map(|reason| vec![reason])
        })?;
        writeln!(out)?;
        writeln!(out, "{}", sum(rows))
    }

    pub(super) fn page(&self) -> Page {
        let columns = ["case", "published", "simulated", "tolerance", "verdict"];
        let columns = columns.map(|name| Column::left(name, 0)).to_vec();
        let rows = self.rows.iter().map(|row| {
            let [published, simulated, whose] = telling(&row.replay);
            let verdict = verdict(&row.replay);
            vec![row.case.id.clone(), published, simulated, whose, verdict]
        });
        Page {
            title: title(&self.changes),
            tables: vec![(String::new(), Table::of(columns).with(rows))],
            remarks: vec![UNITS.replace('\n', " "), sum(&self.rows)],
            machine: Vec::new(),
            ..Page::default()
        }
    }

    pub(super) fn sheet(&self) -> Table {
        let names = "source case variation version published simulated tolerance holds";
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
                    finding.expected.whose().to_string(),
                    finding.holds.to_string(),
                ]
            })
        });
        Table::sheet(names).with(rows)
    }
}

const UNITS: &str = "\
Values are in milliseconds; those of powercfg are in units of 100 ns. Of several
statements, the first one that fails is shown, or the first; --json has all.
'whose' says who chose the tolerance: the source, we (ours), or nobody (none:
the numbers are exact).";

fn title(changes: &[RuleChange]) -> String {
    let mut title = "Published measurements and simulated machines".to_owned();
    for change in changes {
        title += &format!(", {change}");
    }
    cut(&title, WIDTH)
}

fn row(out: &mut Text, row: &Row) -> io::Result<()> {
    let [published, simulated, whose] = telling(&row.replay);
    let verdict = verdict(&row.replay);
    let id = &row.case.id;
    let published = cut(&published, PUBLISHED);
    let simulated = cut(&simulated, SIMULATED);
    write!(
        out,
        "{id:ID$} {published:PUBLISHED$} {simulated:SIMULATED$} {whose:WHOSE$} "
    )?;
    if row.replay.verdict() == Verdict::Fails {
        styled_line(out, ATTENTION, &verdict)
    } else {
        writeln!(out, "{verdict}")
    }
}

/// The published value, the simulated one, and whose the tolerance is.
fn telling(replay: &Replay) -> [String; 3] {
    let finding = replay.telling().map(|statement| &statement.finding);
    let shown = finding.map(|finding| {
        let expected = &finding.expected;
        let whose = expected.whose().to_string();
        [expected.statement.to_string(), finding.found.clone(), whose]
    });
    shown.unwrap_or_default()
}

/// Why statements are wrong, and what was tried on them.
fn why(replay: &Replay) -> Vec<String> {
    let reasons = replay.reasons().into_iter().map(str::to_owned);
    let tried = replay.tried().into_iter();
    reasons
        .chain(tried.map(|tried| format!("tried {tried}")))
        .collect()
}

fn verdict(replay: &Replay) -> String {
    let all = replay.statements.len();
    let failing = replay
        .statements
        .iter()
        .filter(|statement| !statement.finding.is_fine());
    match replay.verdict() {
        Verdict::Holds => "holds".to_owned(),
        Verdict::ExpectedToFail => "wrong".to_owned(),
        Verdict::NotReplayed => "quoted".to_owned(),
        Verdict::Fails => format!("FAILS {}/{all}", failing.count()),
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

fn sum(rows: &[Row]) -> String {
    let count = |wanted| {
        rows.iter()
            .filter(|row| row.replay.verdict() == wanted)
            .count()
    };
    format!(
        "{} cases: {} hold, {} are wrong, {} fail unexpectedly, {} are only quoted",
        rows.len(),
        count(Verdict::Holds),
        count(Verdict::ExpectedToFail),
        count(Verdict::Fails),
        count(Verdict::NotReplayed),
    )
}
