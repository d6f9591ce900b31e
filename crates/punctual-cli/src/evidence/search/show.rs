//! The search as tables: the members that fail the fewest statements, and what those give.

use super::{Searched, Statement, failing};
use crate::show::Show;
use punctual_data::markdown::Page;
use punctual_data::table::{Column, Table};
use punctual_data::text::{Text, WIDTH, heading, wrapped};
use punctual_evidence::search::Row;
use std::io;

const TITLE: &str = "Rules for high-resolution timers against what was published";

/// How many members are listed, and of how many the answers are shown.
const LISTED: usize = 12;
const COMPARED: usize = 4;

const MARK: &str = "The mark ! is on what was not published so.";

impl Searched {
    /// Those that fail the fewest statements, first.
    fn ranked(&self, statements: &[Statement<'_>]) -> Vec<(usize, &Row)> {
        let rows = self.scores.ranked().into_iter();
        let mut rows: Vec<_> = rows.map(|row| (failing(statements, row), row)).collect();
        rows.sort_by_key(|(failing, row)| (*failing, row.alternative.changes.len()));
        rows
    }

    fn members(&self, statements: &[Statement<'_>], most: usize) -> Table {
        let columns = vec![
            Column::left("", 2),
            Column::right("fail", 5),
            Column::left(" rules that differ from those in use", 0),
        ];
        let ranked = self.ranked(statements).into_iter().take(most).enumerate();
        Table::of(columns).with(ranked.map(|(place, (failing, row))| {
            let changes = format!(" {}", row.alternative);
            vec![letter(place), failing.to_string(), changes]
        }))
    }

    fn answers(&self, statements: &[Statement<'_>]) -> Table {
        let ranked = self.ranked(statements);
        let best: Vec<_> = ranked.iter().take(COMPARED).map(|(_, row)| *row).collect();
        let mut columns = vec![Column::of_rows("case", 19), Column::left("published", 22)];
        columns.extend((0..best.len()).map(|place| Column::right(&letter(place), 8)));
        let rows = statements.iter().map(|statement| {
            let published = statement.asked.published.to_string();
            let mut cells = vec![statement.asked.case.clone(), published];
            cells.extend(best.iter().map(|row| {
                let mark = if statement.holds(row) { "" } else { "!" };
                format!("{mark}{}", short(&statement.answer(row).found))
            }));
            cells
        });
        Table::of(columns).with(rows)
    }

    fn remarks(&self, statements: &[Statement<'_>]) -> Vec<String> {
        let ranked = self.ranked(statements);
        let (all, wanted) = (ranked.len(), self.scores.wanted);
        let mut remarks = vec![format!(
            "{all} combinations, {} statements.",
            statements.len()
        )];
        if all < wanted {
            remarks.push(format!("Stopped: {} were not tried.", wanted - all));
        }
        let survivors = ranked.iter().filter(|(failing, _)| *failing == 0).count();
        remarks.push(match survivors {
            0 => "No combination accounts for all of them. Every prediction that rests on these \
                  rules is contradicted by some measurement."
                .to_owned(),
            1 => "One combination accounts for all of them.".to_owned(),
            several => format!("{several} combinations account for all of them."),
        });
        remarks
    }
}

/// A, B, C…
fn letter(place: usize) -> String {
    let letter = u8::try_from(place)
        .ok()
        .and_then(|place| b'A'.checked_add(place));
    letter.map_or_else(String::new, |letter| char::from(letter).to_string())
}

/// What fits a narrow column.
fn short(found: &str) -> String {
    found.chars().take(7).collect()
}

impl Show for Searched {
    fn text(&self, out: &mut Text) -> io::Result<()> {
        let statements = self.statements();
        heading(out, TITLE)?;
        for remark in self.remarks(&statements) {
            for line in wrapped(&remark, WIDTH) {
                writeln!(out, "{line}")?;
            }
        }
        writeln!(out)?;
        self.members(&statements, LISTED).text(out)?;
        heading(out, "What the best of them give")?;
        self.answers(&statements).text(out)?;
        writeln!(out, "{MARK}")
    }

    fn page(&self) -> Page {
        let statements = self.statements();
        let mut remarks = self.remarks(&statements);
        remarks.push(MARK.to_owned());
        Page {
            title: TITLE.to_owned(),
            tables: vec![
                (String::new(), self.members(&statements, LISTED)),
                (
                    "What the best of them give".to_owned(),
                    self.answers(&statements),
                ),
            ],
            remarks,
            ..Page::default()
        }
    }

    fn sheet(&self) -> Table {
        let names = [
            "changes",
            "case",
            "variation",
            "version",
            "published",
            "simulated",
            "holds",
        ];
        let rows = self.scores.ranked().into_iter().flat_map(|row| {
            let pairs = self.scores.asked.iter().zip(&row.answers);
            pairs.map(|(asked, answer)| {
                vec![
                    row.alternative.to_string(),
                    asked.case.clone(),
                    asked.variation.to_string(),
                    asked.version.clone(),
                    asked.published.to_string(),
                    answer.found.clone(),
                    answer.holds.to_string(),
                ]
            })
        });
        Table::sheet(&names).with(rows)
    }
}
