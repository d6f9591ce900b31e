//! A measurement as text: the machine, the results of each method, their distribution, and
//! warnings.

use super::{warnings, words};
use crate::show::series::{TIMER_AND_QUEUE, per_deadline, per_wake};
use crate::show::{Show, circumstances, confidence, machine};
use punctual_data::bars::{Bar, bars};
use punctual_data::distribution::{Distribution, columns};
use punctual_data::markdown::Page;
use punctual_data::quantity::{self, period_ns};
use punctual_data::table::{Table, or_empty};
use punctual_data::text::{Text, heading, titled};
use punctual_lab::TUNED;
use punctual_lab::confidence::Confidence;
use punctual_lab::measure::{Recording, SeriesRecord};
use serde::Serialize;
use std::io;

/// A recording, and what the output needs besides.
#[derive(Serialize)]
#[serde(transparent)]
pub struct Measurement<'a> {
    pub recording: &'a Recording,
    /// Names of the methods that timer slack delays.
    #[serde(skip)]
    pub slackened: &'a [&'static str],
}

/// The title of the second table.
pub const PER_DEADLINE: &str = "The same per deadline, with missed deadlines";

impl Measurement<'_> {
    fn measured(&self) -> Vec<&SeriesRecord> {
        let series = self.recording.series.iter();
        series.filter(|series| series.count > 0).collect()
    }
}

impl Show for Measurement<'_> {
    fn text(&self, out: &mut Text) -> io::Result<()> {
        let recording = self.recording;
        machine(out, &recording.environment)?;
        let measured = self.measured();
        if measured.is_empty() {
            return out.lines("\nStopped before anything was measured.");
        }
        titled(out, &title(recording))?;
        per_wake(&measured).text(out)?;
        heading(out, PER_DEADLINE)?;
        per_deadline(&measured).text(out)?;
        writeln!(out, "{TIMER_AND_QUEUE}")?;
        heading(out, "The distribution of the wake-ups")?;
        let drawn = measured.iter().map(|series| Bar {
            name: &series.method,
            counts_by_ns: &series.per_wake.histogram.counts_by_ns,
        });
        bars(out, &drawn.collect::<Vec<_>>())?;
        confidence::write(out, &predicted(&measured))?;
        warnings::write(out, recording, &|name| self.slackened.contains(&name))
    }

    fn page(&self) -> Page {
        let recording = self.recording;
        let measured = self.measured();
        let changes = recording.environment_changes.iter();
        let changes = changes.map(|change| format!("During the run {change}."));
        let missing = recording.unavailable.iter();
        let missing = missing.map(|missing| format!("No {}: {}.", missing.name, missing.reason));
        Page {
            tables: vec![
                (String::new(), per_wake(&measured)),
                (PER_DEADLINE.to_owned(), per_deadline(&measured)),
            ],
            remarks: changes
                .chain(missing)
                .chain(confidence::remarks(&predicted(&measured)))
                .collect(),
            command: Some(words(&recording.question).to_string()),
            ..Page::of(title(recording), recording.environment.lines())
        }
    }

    fn sheet(&self) -> Table {
        let names =
            "method period_ns load priority on confidence count early missed processor_share";
        let names = Table::sheet(names).and(columns("per_wake"));
        let rows = self.recording.series.iter();
        let rows = rows.map(|series| row(self.recording, series));
        names.and(columns("per_deadline")).with(rows)
    }
}

/// How far the figures of each method can be trusted, if they are predictions.
fn predicted<'a>(measured: &[&'a SeriesRecord]) -> Vec<(&'a str, &'a Confidence)> {
    let named = measured.iter();
    let named = named.map(|series| (series.method.as_str(), series.confidence.as_ref()));
    named
        .filter_map(|(name, said)| Some((name, said?)))
        .collect()
}

/// A row of a spreadsheet.
fn row(recording: &Recording, series: &SeriesRecord) -> Vec<String> {
    let asked = &recording.question;
    let before = [
        series.method.clone(),
        period_ns(asked.schedule.period).to_string(),
        asked.conditions.load.to_string(),
        asked.conditions.priority.to_string(),
        or_empty(asked.on.as_ref().map(|on| &on.machine)),
        confidence::word(series.confidence.as_ref()),
        series.count.to_string(),
        series.early.to_string(),
        series.missed.to_string(),
        series.processor_share.to_string(),
    ];
    let lateness = [&series.per_wake, &series.per_deadline];
    let lateness = lateness.into_iter().flat_map(Distribution::exact);
    before.into_iter().chain(lateness).collect()
}

fn title(recording: &Recording) -> String {
    let (asked, planned) = (&recording.question, recording.plan.count);
    let period = quantity::show(asked.schedule.period.to_duration());
    let mut counts = recording.series.iter().map(|series| series.count);
    // Slow methods had time for fewer waits.
    let up_to = match !recording.interrupted && counts.any(|count| count < planned) {
        true => "up to ",
        false => "",
    };
    let mut title = format!("Lateness of {up_to}{planned} waits of {period}");
    title += &circumstances(&asked.conditions, asked.on.as_ref(), asked.request);
    if asked.tuned {
        title += &format!("; {TUNED}: with the machine tuned");
    }
    if recording.interrupted {
        title += " (stopped early)";
    }
    title
}
