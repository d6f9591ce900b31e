//! What a machine permits, as text of at most 80 columns: a line for each thing, and below it the
//! command that would help.

use super::{Examination, Row, State};
use crate::show::Show;
use anstyle::Style;
use punctual_data::markdown::Page;
use punctual_data::table::{Column, Table, or_empty};
use punctual_data::text::{ATTENTION, Text, WIDTH, wrapped};
use std::io;

/// Columns of a name: the longest that is usual, `high priority`, and some air.
const WHAT: usize = 15;
/// Columns of a state, and some air.
const STATE: usize = 9;

impl Show for Examination {
    fn text(&self, out: &mut Text) -> io::Result<()> {
        for finding in &self.findings {
            write_finding(out, finding)?;
        }
        let findings = self.findings.iter();
        let better = findings.filter(|finding| finding.remedy.is_some()).count();
        match better {
            0 => out.lines("\nNothing that a command would improve."),
            _ => out.lines(
                "\nA command after $ improves the line above it, for this shell or until the next\n\
                 boot. Nothing has been changed.",
            ),
        }
    }

    fn page(&self) -> Page {
        Page {
            title: "What this machine permits a program that waits".to_owned(),
            tables: vec![(String::new(), table(&self.findings))],
            ..Page::default()
        }
    }

    fn sheet(&self) -> Table {
        table(&self.findings)
    }
}

fn table(findings: &[Row]) -> Table {
    let names = ["what", "state", "effect", "what would help"];
    let columns = names.map(|name| Column::left(name, 0)).to_vec();
    Table::of(columns).with(findings.iter().map(|finding| {
        let (state, _) = state(finding.state);
        vec![
            finding.what.clone(),
            state.to_owned(),
            finding.effect.clone(),
            or_empty(finding.remedy.as_ref()),
        ]
    }))
}

fn write_finding(out: &mut Text, finding: &Row) -> io::Result<()> {
    let (word, style) = state(finding.state);
    let what = &finding.what;
    // A name that is too wide has a line of its own.
    if what.chars().count() >= WHAT {
        writeln!(out, "{what}")?;
        write!(out, "{:WHAT$}", "")?;
    } else {
        write!(out, "{what:WHAT$}")?;
    }
    out.styled(style, word)?;
    write!(out, "{:width$}", "", width = STATE - word.len())?;
    for (index, line) in wrapped(&finding.effect, WIDTH - WHAT - STATE).enumerate() {
        let indent = if index == 0 { 0 } else { WHAT + STATE };
        writeln!(out, "{:indent$}{line}", "")?;
    }
    match &finding.remedy {
        Some(remedy) => writeln!(
            out,
            "{:>width$} {remedy}",
            "$",
            width = remedy_column(remedy)
        ),
        None => Ok(()),
    }
}

/// Where commands begin, or further left if they would not fit the line. They are not broken: people
/// copy them.
fn remedy_column(remedy: &str) -> usize {
    let room = WIDTH.saturating_sub(remedy.chars().count() + 1);
    room.clamp(1, WHAT + 1)
}

fn state(state: State) -> (&'static str, Style) {
    match state {
        State::Good => ("good", Style::new()),
        State::Limited => ("limited", ATTENTION),
        State::Missing => ("missing", ATTENTION),
        State::Unknown => ("unknown", Style::new()),
    }
}
