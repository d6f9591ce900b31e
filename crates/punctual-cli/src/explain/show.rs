//! Explained wake-ups as text, at most 80 columns wide.

mod accounts;
mod advice;
mod answer;
mod lanes;
mod lateness;
mod stacks;
mod timeline;
mod worst;

pub(super) use accounts::stolen;

use super::explanation::Explanation;
use super::words;
use crate::show::Show;
use crate::show::machine;
use punctual_data::markdown::Page;
use punctual_data::quantity::nanos;
use punctual_data::table::{Column, Table};
use punctual_data::text::{self, ATTENTION, Text, WIDTH, cut, heading, titled, wrapped};
use punctual_lab::Environment;
use punctual_lab::measure::Question;
use punctual_lab::waiters::PUNCTUAL;
use punctual_trace::Report;
use punctual_trace::report::named;
use std::io;
use std::time::Duration;

/// The number of causes in the table; the JSON has all of them.
const MOST_CAUSES: usize = 15;
/// The same without `--long`.
const FEW_CAUSES: usize = 8;

impl Show for Explanation {
    fn text(&self, out: &mut Text) -> io::Result<()> {
        let (environment, report) = (self.machine(), &self.report);
        text::paragraph(out, &answer::answer(report))?;
        if self.is_long && environment != Environment::default() {
            machine(out, &environment)?;
        }
        titled(out, &title(self))?;
        counts(out, report)?;
        if self.is_long && report.lateness.count > 0 {
            heading(out, LATENESS)?;
            lateness::write(out, &report.lateness.distribution)?;
        }
        if !report.causes.is_empty() {
            heading(out, CAUSES)?;
            let most = if self.is_long {
                MOST_CAUSES
            } else {
                FEW_CAUSES
            };
            causes(report, most).text(out)?;
            if let Some(more) = left_out(report, most) {
                writeln!(out, "{more}")?;
            }
            if self.is_long {
                worst::list(out, report)?;
                timeline::draw(out, report)?;
            }
            let slice_is_short = self.question.as_ref().is_some_and(has_short_slice);
            let most = if self.is_long { usize::MAX } else { 1 };
            advice::write(out, self, &environment, slice_is_short, most)?;
        }
        text::notes(out, &notes(self))
    }

    fn page(&self) -> Page {
        let report = &self.report;
        let unexplained = report.unexplained.iter();
        let unexplained =
            unexplained.map(|row| format!("{} not explained: {}", row.count, row.because));
        let explained = format!("{} of {} explained", report.explained(), report.of);
        Page {
            tables: vec![
                (
                    LATENESS.to_owned(),
                    lateness::table(&report.lateness.distribution),
                ),
                (CAUSES.to_owned(), causes(report, MOST_CAUSES)),
            ],
            remarks: [explained]
                .into_iter()
                .chain(unexplained)
                .chain(left_out(report, MOST_CAUSES))
                .chain(notes(self))
                .collect(),
            command: self.question.as_ref().map(|asked| words(asked).to_string()),
            ..Page::of(title(self), self.machine().lines())
        }
    }

    fn sheet(&self) -> Table {
        let names = "cause who priority wakeups runs total_ns max_ns longest_ns share";
        Table::sheet(names).with(self.report.causes.iter().map(|row| {
            vec![
                row.cause.to_string(),
                row.who.clone(),
                row.priority.clone().unwrap_or_default(),
                row.wakeups.to_string(),
                row.runs.to_string(),
                row.total_ns.to_string(),
                row.max_ns.to_string(),
                row.longest_ns.to_string(),
                row.share.to_string(),
            ]
        }))
    }
}

/// Whether an explained loop had a shorter slice than the system gives: one that was set, or that of a sleeper.
fn has_short_slice(question: &Question) -> bool {
    match question.conditions.slices.first() {
        Some(slice) => slice.set().is_some_and(|slice| slice <= SHORT),
        None => question
            .waiters
            .iter()
            .any(|method| method.starts_with(PUNCTUAL)),
    }
}

/// Half of the system's own, which is 0.7 ms per processor and grows with their number (`base_slice_ns` of
/// Linux' debugfs, 1.4 ms on two processors).
const SHORT: Duration = Duration::from_micros(700);

const LATENESS: &str = "How late the wake-ups were";
const CAUSES: &str = "Where the lateness went";

fn title(explanation: &Explanation) -> String {
    let stopped = stopped(explanation.interrupted);
    format!("Wake-ups of {}{stopped}", explanation.subject)
}

/// The end of the title.
fn stopped(early: bool) -> &'static str {
    if early { " (stopped early)" } else { "" }
}

/// The notes for the reader.
fn notes(explanation: &Explanation) -> Vec<String> {
    let full = "the trace ended when it was full".to_owned();
    let changes = explanation.environment_changes.iter().cloned();
    let left_out = explanation.report.left_out;
    let left_out = (left_out > 0)
        .then(|| format!("{left_out} wake-ups that were less late are only in the totals"));
    let changes = changes.chain(explanation.was_full.then_some(full));
    let changes = changes.chain(left_out);
    changes.chain(explanation.notes.iter().cloned()).collect()
}

fn counts(out: &mut Text, report: &Report) -> io::Result<()> {
    let explained = report.explained();
    write!(out, "  {explained} of {} explained", report.of)?;
    if explained > 0 {
        write!(out, ": {} exact, {} merged", report.exact, report.merged)?;
    }
    writeln!(out, "{}", on_processors(&report.processors))?;
    for row in &report.unexplained {
        for line in wrapped(
            &format!("{} not explained: {}", row.count, row.because),
            WIDTH - 2,
        ) {
            writeln!(out, "  {line}")?;
        }
    }
    Ok(())
}

fn on_processors(processors: &[u16]) -> String {
    let list: Vec<_> = processors.iter().map(u16::to_string).collect();
    match list.as_slice() {
        [] => String::new(),
        [one] => format!("; on processor {one}"),
        several => format!("; on processors {}", several.join(", ")),
    }
}

/// The widths of the columns before the numbers: the longest cause, and the longest name of a
/// thread with some room.
const CAUSE_WIDTH: usize = 15;
const WHO_WIDTH: usize = 28;

fn causes(report: &Report, most: usize) -> Table {
    let columns = vec![
        Column::left("cause", CAUSE_WIDTH),
        Column::left("who", WHO_WIDTH),
        Column::right("times", 8),
        Column::right("total", 10),
        Column::right("longest", 10),
        Column::right("share", 8),
    ];
    Table::of(columns).with(report.causes.iter().take(most).map(|row| {
        vec![
            row.cause.to_string(),
            cut(&named(&row.who, row.priority.as_ref()), WHO_WIDTH - 1),
            row.wakeups.to_string(),
            nanos(row.total_ns),
            nanos(row.longest_ns),
            format!("{:.1}%", row.share * 100.0),
        ]
    }))
}

fn left_out(report: &Report, most: usize) -> Option<String> {
    let more = report.causes.len().checked_sub(most + 1)?;
    Some(format!(
        "and {} more; --long shows each wake-up, --json all",
        more + 1
    ))
}

/// A label and a text of one or more lines.
fn labelled(out: &mut Text, label: &str, text: &str) -> io::Result<()> {
    for (index, line) in wrapped(text, WIDTH - 6).enumerate() {
        let label = if index == 0 { label } else { "" };
        out.styled(ATTENTION, &format!("{label:5}"))?;
        writeln!(out, " {line}")?;
    }
    Ok(())
}
