//! A measurement as text, Markdown and CSV: the answer first, then one table. The rest is for those who ask for it.

use super::flags::{AsFlags, words};
use crate::show::confidence::{self, borrowed};
use crate::show::{Show, machine};
use punctual_data::markdown::Page;
use punctual_data::table::Table;
use punctual_data::text::{Text, WIDTH, notes, titled, wrapped};
use punctual_lab::confidence::Confidence;
use punctual_lab::machine::Unavailable;
use punctual_lab::recording::Recording;
use punctual_lab::schedule::Schedule;
use punctual_lab::waiters::Waiter;
use serde::Serialize;
use std::io;
use std::time::Duration;

/// The most rows of the table without `--long`: with its head and title it has 25 lines.
const MOST_ROWS: usize = 23;

/// What a schedule's recordings show.
pub trait Printed: AsFlags {
    /// The answer in a sentence or two, if anything was measured.
    fn answer(recording: &Recording<Self>) -> Option<String>;

    fn title(recording: &Recording<Self>) -> String;

    /// The series that have something to show.
    fn measured(recording: &Recording<Self>) -> Vec<&Self::Record>;

    /// By what the best are found.
    fn rank(series: &Self::Record) -> f64;

    /// A row per series.
    fn table(series: &[&Self::Record]) -> Table;

    /// What else there is, as tables with their titles.
    fn more(recording: &Recording<Self>) -> Vec<(String, Table)>;

    /// The same for a terminal.
    fn write_more(recording: &Recording<Self>, out: &mut Text) -> io::Result<()>;

    /// How far figures can be trusted, if they are predictions.
    fn predicted(recording: &Recording<Self>) -> Vec<(String, &Confidence)>;

    /// What to know about it, apart from what the machine lacks. Some of it depends on the waiters.
    fn remarks(recording: &Recording<Self>, facts: &[Fact]) -> Vec<String>;

    fn sheet(recording: &Recording<Self>) -> Table;
}

/// What remarks need of a waiter.
#[derive(Debug, Clone, Copy)]
pub struct Fact {
    pub name: &'static str,
    /// Whether timer slack delays it.
    pub slack_applies: bool,
    /// The unit in which it takes lengths.
    pub unit: Option<Duration>,
}

impl<M> From<&Waiter<M>> for Fact {
    fn from(waiter: &Waiter<M>) -> Self {
        Self {
            name: waiter.name,
            slack_applies: waiter.slack_applies,
            unit: waiter.lengths.map(|(unit, _)| unit),
        }
    }
}

/// A recording, and what its output needs besides.
#[derive(Serialize)]
#[serde(transparent, bound = "S: Schedule")]
pub struct Measurement<'a, S: Schedule> {
    pub recording: &'a Recording<S>,
    #[serde(skip)]
    pub facts: &'a [Fact],
    #[serde(skip)]
    pub is_long: bool,
}

impl<S: Printed> Measurement<'_, S> {
    /// Everything to know, the missing waiters last.
    fn notes(&self) -> Vec<String> {
        let mut notes = S::remarks(self.recording, self.facts);
        let missing = self.recording.unavailable.iter();
        notes.extend(missing.map(|Unavailable { name, reason }| format!("no {name}: {reason}")));
        notes
    }

    /// What is left out without `--long`.
    fn left_out(&self, rows: usize) -> String {
        let rows = match rows.saturating_sub(MOST_ROWS) {
            0 => String::new(),
            more => format!("{more} more rows, "),
        };
        let notes = match self.notes().len() {
            0 => String::new(),
            1 => "a note, ".to_owned(),
            notes => format!("{notes} notes, "),
        };
        format!("{rows}{notes}the machine and what is behind the figures: --long")
    }
}

/// The best of them, in their order, if they are too many for a table.
fn best<'a, S: Printed>(series: &[&'a S::Record]) -> Vec<&'a S::Record> {
    let mut ranks: Vec<_> = series.iter().map(|series| S::rank(series)).collect();
    ranks.sort_by(f64::total_cmp);
    let worst = ranks.get(MOST_ROWS - 1).copied().unwrap_or(f64::INFINITY);
    let good = series.iter().filter(|series| S::rank(series) <= worst);
    good.copied().take(MOST_ROWS).collect()
}

impl<S: Printed> Show for Measurement<'_, S> {
    fn text(&self, out: &mut Text) -> io::Result<()> {
        let recording = self.recording;
        let Some(answer) = S::answer(recording) else {
            out.lines("Stopped before anything was measured.")?;
            return notes(out, &self.notes());
        };
        for line in wrapped(&answer, WIDTH) {
            writeln!(out, "{line}")?;
        }
        titled(out, &S::title(recording))?;
        let measured = S::measured(recording);
        if !self.is_long {
            S::table(&best::<S>(&measured)).text(out)?;
            return writeln!(out, "{}", self.left_out(measured.len()));
        }
        S::table(&measured).text(out)?;
        S::write_more(recording, out)?;
        confidence::write(out, &borrowed(&S::predicted(recording)))?;
        machine(out, &recording.environment)?;
        notes(out, &self.notes())
    }

    fn page(&self) -> Page {
        let recording = self.recording;
        let mut tables = vec![(String::new(), S::table(&S::measured(recording)))];
        tables.extend(S::more(recording));
        let mut remarks: Vec<_> = S::answer(recording).into_iter().collect();
        remarks.extend(self.notes());
        remarks.extend(confidence::remarks(&borrowed(&S::predicted(recording))));
        Page {
            tables,
            remarks,
            command: Some(words(&recording.question).to_string()),
            ..Page::of(S::title(recording), recording.environment.lines())
        }
    }

    fn sheet(&self) -> Table {
        S::sheet(self.recording)
    }
}
