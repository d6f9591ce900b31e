//! What beats show: the pace of each method's loop, and its most frequent intervals.

use super::answer;
use super::printed::{Fact, Printed};
use crate::show::circumstances;
use punctual_data::distribution::{Distribution, columns};
use punctual_data::escape::escaped;
use punctual_data::quantity::{
    self, average_interval, nanos, percent, period_ns, rounded, signed_seconds,
};
use punctual_data::table::{Column, NAME_WIDTH, Table, or_empty};
use punctual_data::text::{Text, WIDTH, heading};
use punctual_lab::confidence::Confidence;
use punctual_lab::pace::{Beats, PaceRecord, PaceRecording};
use punctual_windows::confidence::text as confidence;
use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

const COMMONEST: &str = "The most frequent intervals between beats";

impl Printed for Beats {
    fn answer(recording: &PaceRecording) -> Option<String> {
        answer::of_beats(recording)
    }

    fn title(recording: &PaceRecording) -> String {
        let asked = &recording.question;
        let mut title = format!(
            "Pace of a loop of {}, {} each",
            average_interval(period_ns(asked.schedule.period)),
            quantity::show_asked(Duration::from_nanos(recording.plan.duration_ns))
        );
        if !asked.schedule.work.is_zero() {
            title += &format!(", {} of work", quantity::show(asked.schedule.work));
        }
        title += &circumstances(&asked.conditions, asked.on.as_ref(), asked.request);
        if recording.interrupted {
            title += " (stopped early)";
        }
        title
    }

    fn measured(recording: &PaceRecording) -> Vec<&PaceRecord> {
        let series = recording.series.iter();
        series.filter(|way| way.beats > 0).collect()
    }

    fn rank(way: &PaceRecord) -> f64 {
        way.error_ppm.map_or(f64::INFINITY, f64::abs)
    }

    fn table(ways: &[&PaceRecord]) -> Table {
        let columns = vec![
            Column::of_rows("method", NAME_WIDTH),
            Column::right("average", 11),
            Column::right("error ppm", 10),
            Column::right("a day", 10),
            Column::right("jitter", 9),
            Column::right("longest", 9),
            Column::right("missed", 9),
            Column::right("cpu", 6),
        ];
        Table::of(columns).with(ways.iter().map(|way| row(way)))
    }

    const FIGURES: [&'static str; 4] = ["jitter", "p50", "p99", "longest"];

    fn row<'a>(
        _: &PaceRecording,
        way: &'a PaceRecord,
    ) -> (String, [u64; 4], Option<&'a Confidence>) {
        let intervals = &way.intervals;
        let [p50, p99, longest] = [intervals.p50_ns, intervals.p99_ns, intervals.max_ns];
        let figures = [rounded(way.jitter_ns), p50, p99, longest];
        (way.way.clone(), figures, way.confidence.as_ref())
    }

    fn said(jitter: &str) -> String {
        format!("has a jitter of {jitter}")
    }

    fn more(recording: &PaceRecording) -> Vec<(String, Table)> {
        let columns = vec![Column::of_rows("method", 0), Column::left("intervals", 0)];
        let intervals = Self::measured(recording).into_iter().map(|way| {
            let shown = commonest(way, period_ns(recording.question.schedule.period));
            vec![way.way.clone(), shown]
        });
        vec![(COMMONEST.to_owned(), Table::of(columns).with(intervals))]
    }

    fn write_more(recording: &PaceRecording, out: &mut Text) -> io::Result<()> {
        heading(out, COMMONEST)?;
        Self::measured(recording).into_iter().try_for_each(|way| {
            let shown = commonest(way, period_ns(recording.question.schedule.period));
            writeln!(out, "{:NAME_WIDTH$} {shown}", escaped(&way.way))
        })
    }

    fn remarks(recording: &PaceRecording, _: &[Fact]) -> Vec<String> {
        recording.environment_changes.clone()
    }

    fn sheet(recording: &PaceRecording) -> Table {
        let names = "way period_ns work_ns load priority on confidence beats elapsed_ns average_ns \
                     error_ppm error_s_per_day jitter_ns missed processor_share";
        let sheet = Table::sheet(names).and(columns("interval"));
        let rows = recording.series.iter().map(|way| cells(recording, way));
        sheet.and(columns("wait")).with(rows)
    }
}

/// A row of a spreadsheet.
fn cells(recording: &PaceRecording, way: &PaceRecord) -> Vec<String> {
    let asked = &recording.question;
    let fixed = [
        way.way.clone(),
        period_ns(asked.schedule.period).to_string(),
        asked.schedule.work.as_nanos().to_string(),
        asked.conditions.load.to_string(),
        asked.conditions.priority.to_string(),
        or_empty(asked.on.as_ref().map(|on| &on.machine)),
        confidence::word(way.confidence.as_ref()),
        way.beats.to_string(),
        way.elapsed_ns.to_string(),
        or_empty(way.average_ns),
        or_empty(way.error_ppm),
        or_empty(way.error_s_per_day),
        way.jitter_ns.to_string(),
        way.missed.to_string(),
        way.processor_share.to_string(),
    ];
    let summaries = [&way.intervals, &way.waits];
    let summaries = summaries.into_iter().flat_map(Distribution::exact);
    fixed.into_iter().chain(summaries).collect()
}

fn row(way: &PaceRecord) -> Vec<String> {
    let unknown = || "unknown".to_owned();
    vec![
        way.way.clone(),
        way.average_ns.map_or_else(unknown, average_interval),
        way.error_ppm.map_or_else(unknown, millionths),
        way.error_s_per_day.map_or_else(unknown, signed_seconds),
        nanos(rounded(way.jitter_ns)),
        nanos(way.intervals.max_ns),
        way.missed.to_string(),
        percent(way.processor_share),
    ]
}

/// With a reasonable number of digits: `+0.02`, `-1.3`, `+93750`.
fn millionths(ppm: f64) -> String {
    let digits = match ppm.abs() {
        ..9.995 => 2,
        ..999.95 => 1,
        _ => 0,
    };
    format!("{ppm:+.digits$}")
}

/// The number of intervals that fit a line.
const MOST_LENGTHS: usize = 4;

/// Intervals with a smaller share are left out.
const LEAST_SHARE: f64 = 0.005;

/// Intervals are grouped in tenths of a period. This separates the half milliseconds of the study
/// at 1 kHz, and the timer interrupts of 15.6 ms in a period of 100 ms.
fn commonest(way: &PaceRecord, period_ns: f64) -> String {
    let tenth = period_ns / 10.0;
    let mut lengths: BTreeMap<u64, (u64, f64)> = BTreeMap::new();
    for &(ns, count) in &way.intervals.histogram.counts_by_ns {
        let length = lengths.entry(rounded(ns as f64 / tenth)).or_default();
        length.0 += count;
        length.1 += ns as f64 * count as f64;
    }
    let mut lengths: Vec<_> = lengths.into_values().collect();
    lengths.sort_by_key(|&(count, _)| std::cmp::Reverse(count));
    let share = |count: u64| count as f64 / way.beats as f64;
    let shown = lengths
        .iter()
        .take(MOST_LENGTHS)
        .filter(|(count, _)| share(*count) >= LEAST_SHARE)
        .map(|&(count, total)| {
            let mean = nanos(rounded(total / count as f64));
            format!("{mean} {}", percent(share(count)))
        });
    let line = shown.collect::<Vec<_>>().join(", ");
    line.chars().take(WIDTH - NAME_WIDTH - 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_a_sign_and_the_digits_that_mean_something() {
        assert_eq!(millionths(93_750.0), "+93750");
        assert_eq!(millionths(-0.018), "-0.02");
        assert_eq!(millionths(52.34), "+52.3");
    }
}
