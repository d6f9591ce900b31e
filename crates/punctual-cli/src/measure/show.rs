//! A measurement as text, Markdown and CSV: the answer first, then one table. The rest is for those who ask for it.

use super::flags::words;
use super::printed::{Fact, MOST_ROWS, Printed};
use super::vary::{self, Varied};
use crate::show::machine;
use punctual_data::markdown::Page;
use punctual_data::show::Show;
use punctual_data::table::Table;
use punctual_data::text::{Text, WIDTH, notes, titled, wrapped};
use punctual_lab::confidence::Confidence;
use punctual_lab::machine::Unavailable;
use punctual_lab::recording::Recording;
use punctual_lab::schedule::Schedule;
use punctual_lab::vary::Condition;
use punctual_windows::confidence::text as confidence;
use serde::Serialize;
use std::io;

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
        let mut notes = match &self.varied() {
            Some(varied) => {
                let mut flat = self.recording.flat();
                if varied.condition == Condition::Slack {
                    // What the thread had before says nothing of the series.
                    flat.environment.timer_slack_ns = None;
                }
                let mut notes = S::remarks(&flat, self.facts);
                notes.extend(varied.remark());
                notes
            }
            None => S::remarks(self.recording, self.facts),
        };
        let missing = self.recording.unavailable.iter();
        notes.extend(missing.map(|Unavailable { name, reason }| format!("no {name}: {reason}")));
        notes
    }

    fn varied(&self) -> Option<Varied> {
        Varied::of(self.recording)
    }

    fn title(&self) -> String {
        let title = S::title(self.recording);
        match &self.recording.question.vary {
            Some(vary) => format!("{title}, by {}", vary.condition.name()),
            None => title,
        }
    }

    /// All but the answer and the title.
    fn write_varied(&self, out: &mut Text, varied: &Varied) -> io::Result<()> {
        let (table, left_out) = varied.table(self.is_long);
        table.text(out)?;
        varied
            .legend()
            .iter()
            .try_for_each(|line| writeln!(out, "{line}"))?;
        if !self.is_long {
            return writeln!(out, "{}", self.left_out(left_out));
        }
        self.write_rest(out, &varied.predicted())
    }

    /// What only `--long` shows of every measurement.
    fn write_rest(&self, out: &mut Text, predicted: &[(String, &Confidence)]) -> io::Result<()> {
        confidence::write(out, predicted)?;
        machine(out, &self.recording.environment)?;
        notes(out, &self.notes())
    }

    /// What is left out without `--long`.
    fn left_out(&self, rows: usize) -> String {
        let rows = match rows {
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
        let varied = self.varied();
        let answer = match &varied {
            Some(varied) => varied.answer(),
            None => S::answer(recording),
        };
        let Some(answer) = answer else {
            out.lines("Stopped before anything was measured.")?;
            return notes(out, &self.notes());
        };
        for line in wrapped(&answer, WIDTH) {
            writeln!(out, "{line}")?;
        }
        titled(out, &self.title())?;
        if let Some(varied) = varied {
            return self.write_varied(out, &varied);
        }
        let measured = S::measured(recording);
        if !self.is_long {
            S::table(&best::<S>(&measured)).text(out)?;
            let left_out = measured.len().saturating_sub(MOST_ROWS);
            return writeln!(out, "{}", self.left_out(left_out));
        }
        S::table(&measured).text(out)?;
        S::write_more(recording, out)?;
        self.write_rest(out, &S::predicted(recording))
    }

    fn page(&self) -> Page {
        let recording = self.recording;
        let varied = self.varied();
        let (tables, answer, predicted) = match &varied {
            Some(varied) => (
                vec![(varied.legend().join("; "), varied.table(true).0)],
                varied.answer(),
                varied.predicted(),
            ),
            None => {
                let mut tables = vec![(String::new(), S::table(&S::measured(recording)))];
                tables.extend(S::more(recording));
                (tables, S::answer(recording), S::predicted(recording))
            }
        };
        let mut remarks: Vec<_> = answer.into_iter().collect();
        remarks.extend(self.notes());
        remarks.extend(confidence::remarks(&predicted));
        Page {
            tables,
            remarks,
            command: Some(words(&recording.question).to_string()),
            ..Page::of(self.title(), recording.environment.lines())
        }
    }

    fn sheet(&self) -> Table {
        match &self.recording.question.vary {
            Some(vary) => vary::sheet(self.recording, vary),
            None => S::sheet(self.recording),
        }
    }
}
