//! What waits for deadlines show: the lateness of each method.

use super::printed::{Fact, Printed};
use super::{answer, warnings};
use crate::show::{PER_WAKE, TIMER_AND_QUEUE, circumstances, per_deadline, per_wake};
use punctual_data::bars::{Bar, bars};
use punctual_data::distribution::{Distribution, columns};
use punctual_data::quantity::{self, period_ns};
use punctual_data::table::{Table, or_empty};
use punctual_data::text::{Text, heading};
use punctual_lab::TUNED;
use punctual_lab::confidence::Confidence;
use punctual_lab::measure::{Deadlines, Recording, SeriesRecord};
use punctual_windows::confidence::text as confidence;
use std::io;

impl Printed for Deadlines {
    fn answer(recording: &Recording) -> Option<String> {
        answer::of_deadlines(recording)
    }

    fn title(recording: &Recording) -> String {
        title(recording)
    }

    fn measured(recording: &Recording) -> Vec<&SeriesRecord> {
        let series = recording.series.iter();
        series.filter(|series| series.count > 0).collect()
    }

    fn rank(series: &SeriesRecord) -> f64 {
        series.per_deadline.p99_ns as f64
    }

    fn table(series: &[&SeriesRecord]) -> Table {
        per_deadline(series)
    }

    const FIGURES: [&'static str; 4] = ["p50", "p99", "p99.9", "max"];

    fn row<'a>(
        _: &Recording,
        series: &'a SeriesRecord,
    ) -> (String, [u64; 4], Option<&'a Confidence>) {
        let late = &series.per_deadline;
        let figures = [late.p50_ns, late.p99_ns, late.p999_ns, late.max_ns];
        (series.method.clone(), figures, series.confidence.as_ref())
    }

    fn said(median: &str) -> String {
        format!("wakes {median} late in the median")
    }

    fn more(recording: &Recording) -> Vec<(String, Table)> {
        let measured = Self::measured(recording);
        vec![(PER_WAKE.to_owned(), per_wake(&measured))]
    }

    fn write_more(recording: &Recording, out: &mut Text) -> io::Result<()> {
        let measured = Self::measured(recording);
        heading(out, PER_WAKE)?;
        per_wake(&measured).text(out)?;
        writeln!(out, "{TIMER_AND_QUEUE}")?;
        heading(out, "The distribution of the wake-ups")?;
        let drawn = measured.iter().map(|series| Bar {
            name: &series.method,
            counts_by_ns: &series.per_wake.histogram.counts_by_ns,
        });
        bars(out, &drawn.collect::<Vec<_>>())
    }

    fn remarks(recording: &Recording, facts: &[Fact]) -> Vec<String> {
        warnings::of(recording, facts)
    }

    fn sheet(recording: &Recording) -> Table {
        let names =
            "method period_ns load priority on confidence count early missed processor_share";
        let names = Table::sheet(names).and(columns("per_wake"));
        let rows = recording.series.iter();
        let rows = rows.map(|series| row(recording, series));
        names.and(columns("per_deadline")).with(rows)
    }
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
