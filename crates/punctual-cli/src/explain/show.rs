//! Explained wake-ups as text, at most 80 columns wide.

mod accounts;

pub(super) use accounts::stolen;

use super::{Explanation, words};
use crate::show::machine;
use punctual_data::markdown::Page;
use punctual_data::show::Show;
use punctual_data::table::Table;
use punctual_data::text::{self, ATTENTION, Text, WIDTH, heading, titled, wrapped};
use punctual_lab::Environment;
use punctual_lab::measure::Question;
use punctual_lab::waiters::PUNCTUAL;
use punctual_trace::Cause;
use punctual_trace::advice::{Facts, advice};
use punctual_trace::report::text as report_text;
use std::io;
use std::time::Duration;

/// The number of causes in the table; the JSON has all of them.
const MOST_CAUSES: usize = 15;
/// The same without `--long`.
const FEW_CAUSES: usize = 8;

impl Show for Explanation {
    fn text(&self, out: &mut Text) -> io::Result<()> {
        let (environment, report) = (self.machine(), &self.report);
        text::paragraph(out, &report_text::answer(report))?;
        if self.is_long && environment != Environment::default() {
            machine(out, &environment)?;
        }
        titled(out, &title(self))?;
        report_text::counts(out, report)?;
        if self.is_long && report.lateness.count > 0 {
            heading(out, LATENESS)?;
            report_text::lateness(out, &report.lateness.distribution)?;
        }
        if !report.causes.is_empty() {
            heading(out, CAUSES)?;
            let most = if self.is_long {
                MOST_CAUSES
            } else {
                FEW_CAUSES
            };
            report_text::causes(report, most).text(out)?;
            if let Some(more) = report_text::left_out(report, most) {
                writeln!(out, "{more}")?;
            }
            if self.is_long {
                report_text::worst(out, report)?;
                report_text::timeline(out, report)?;
            }
            let slice_is_short = self.question.as_ref().is_some_and(has_short_slice);
            let most = if self.is_long { usize::MAX } else { 1 };
            write(out, self, &environment, slice_is_short, most)?;
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
                    report_text::lateness_table(&report.lateness.distribution),
                ),
                (CAUSES.to_owned(), report_text::causes(report, MOST_CAUSES)),
            ],
            remarks: [explained]
                .into_iter()
                .chain(unexplained)
                .chain(report_text::left_out(report, MOST_CAUSES))
                .chain(notes(self))
                .collect(),
            command: self.question.as_ref().map(|asked| words(asked).to_string()),
            ..Page::of(title(self), self.machine().lines())
        }
    }

    fn sheet(&self) -> Table {
        report_text::sheet(&self.report)
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

/// A label and a text of one or more lines.
fn labelled(out: &mut Text, label: &str, text: &str) -> io::Result<()> {
    for (index, line) in wrapped(text, WIDTH - 6).enumerate() {
        let label = if index == 0 { label } else { "" };
        out.styled(ATTENTION, &format!("{label:5}"))?;
        writeln!(out, " {line}")?;
    }
    Ok(())
}

/// A cause with a smaller share of the lateness gets no advice.
const LEAST_SHARE: f64 = 0.02;

/// Of so many causes, the most important first.
fn write(
    out: &mut Text,
    found: &Explanation,
    machine: &Environment,
    slice_is_short: bool,
    most: usize,
) -> io::Result<()> {
    let hypervisor = machine.hypervisor.as_deref();
    let facts = Facts {
        hypervisor: hypervisor.filter(|&name| name != "none"),
        timer_slack_ns: machine.timer_slack_ns,
        slice_is_short,
    };
    let mut advised = Vec::new();
    writeln!(out)?;
    for row in &found.report.causes {
        let kind = (
            row.cause,
            row.cause == Cause::InterruptLate && row.occupant == "idle",
        );
        if row.share < LEAST_SHARE || advised.contains(&kind) || advised.len() == most {
            continue;
        }
        advised.push(kind);
        let advice = advice(row, found.system, facts);
        labelled(out, "why:", &format!("{}: {advice}", row.cause))?;
    }
    Ok(())
}
