//! The table of languages, at most 80 columns wide.

use super::show::{NOWHERE, cell, confidences, legend, marked_label, title, version};
use super::words;
use crate::show::View;
use punctual_data::markdown::Page;
use punctual_data::show::Show;
use punctual_data::table::{Column, Table};
use punctual_data::text::{Text, heading, paragraph};
use punctual_lab::confidence::Level;
use punctual_lab::languages::{Cell, Recording, Row};
use punctual_windows::confidence::text as confidence;
use std::collections::BTreeSet;
use std::io;

/// The width of a label with the mark of an unchecked row.
const LABEL: usize = 20;
/// The width of a cell: a mean, a deviation and a sign, such as `15.6±9.9!`, and a space.
const CELL: usize = 10;

impl Show for View<'_, Recording> {
    fn text(&self, out: &mut Text) -> io::Result<()> {
        heading(out, &title(self.0))?;
        table(self.0).text(out)?;
        for line in legend(self.0) {
            writeln!(out, "{line}")?;
        }
        let mut remarks = remarks(self.0).into_iter();
        remarks.try_for_each(|remark| paragraph(out, &remark))
    }

    fn page(&self) -> Page {
        Page {
            title: title(self.0),
            tables: vec![(legend(self.0).join("; "), table(self.0))],
            remarks: remarks(self.0),
            command: Some(words(&self.0.question).to_string()),
            machine: self.0.question.machines.clone(),
        }
    }

    fn sheet(&self) -> Table {
        let names = "persona label machine length_ns count mean_ns deviation_ns min_ns max_ns \
                     confidence";
        let rows = self.0.rows.iter().flat_map(|row| {
            let cells = self.0.question.machines.iter().zip(&row.cells);
            cells
                .filter_map(|(machine, cell)| Some(sheet_row(self.0, row, machine, cell.as_ref()?)))
        });
        Table::sheet(names).with(rows)
    }
}

fn sheet_row(recording: &Recording, row: &Row, machine: &str, cell: &Cell) -> Vec<String> {
    let mut cells = vec![row.persona.clone(), row.label.clone(), machine.to_owned()];
    cells.extend(
        [
            u64::try_from(recording.question.length.as_nanos()).unwrap_or(u64::MAX),
            cell.count,
            cell.mean_ns,
            cell.deviation_ns,
            cell.min_ns,
            cell.max_ns,
        ]
        .map(|number| number.to_string()),
    );
    cells.push(confidence::word(Some(&cell.confidence)));
    cells
}

fn table(recording: &Recording) -> Table {
    let mut columns = vec![Column::of_rows("", LABEL)];
    let machines = &recording.question.machines;
    // A sign may stand after a figure.
    let heads = (0..machines.len()).map(|index| format!("{} ", version(machines, index)));
    columns.extend(heads.map(|head| Column::right(&head, CELL)));
    Table::of(columns).with(recording.rows.iter().map(|row| {
        let cells = row.cells.iter().map(|found| match found {
            Some(found) => format!("{}{:1}", cell(found), found.confidence.level.sign()),
            None => format!("{NOWHERE} "),
        });
        [marked_label(row)].into_iter().chain(cells).collect()
    }))
}

/// Which rules make the figures weak.
fn remarks(recording: &Recording) -> Vec<String> {
    let weak = |level| {
        let grounds = confidences(recording)
            .filter(move |confidence| confidence.level >= level)
            .flat_map(|confidence| &confidence.rests_on)
            .filter(move |ground| ground.level == level);
        let is_row = |rule: &str| recording.rows.iter().any(|row| row.persona == rule);
        let grounds = grounds.filter(move |ground| !is_row(&ground.rule));
        grounds.map(confidence::ground).collect::<BTreeSet<_>>()
    };
    let levels = [Level::Inferred, Level::Contradicted].into_iter();
    let lines = levels.filter_map(|level| {
        let because = weak(level);
        let because: Vec<_> = because.into_iter().collect();
        (!because.is_empty()).then(|| format!("{} {}", level.sign(), because.join("; ")))
    });
    let unusual: BTreeSet<_> = confidences(recording)
        .flat_map(|confidence| &confidence.unusual)
        .collect();
    let unusual = unusual
        .into_iter()
        .map(|what| format!("? nobody has measured with {what}"));
    lines.chain(unusual).collect()
}
