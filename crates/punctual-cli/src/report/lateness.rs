//! Lateness of a recording: by percentile, as histograms, and both as tables.

use punctual_data::chart::{self, Axis, Line, Row, Shape};
use punctual_data::distribution::Distribution;
use punctual_data::figure::Figure;
use punctual_data::markup::{Markup, table};
use punctual_data::quantity::{decade, nanos, percent_in_words};
use punctual_data::scale;
use punctual_lab::measure::SeriesRecord;

/// By percentile.
pub(super) fn percentiles(series: &[&SeriesRecord]) -> Figure {
    let x = Axis::nines(series.iter().map(|series| &series.per_deadline));
    let y = Axis::decades(occurring(series));
    let lines = series.iter().map(|series| {
        let line = Line::percentiles(&series.method, &series.per_deadline);
        line.said(in_words(&series.per_deadline))
    });
    chart::lines(
        "Lateness by percentile, with missed deadlines",
        &x.named("share of deadlines served within"),
        &y,
        &Vec::from_iter(lines),
    )
}

/// A histogram for each method, one below the other on one axis.
pub(super) fn histograms(series: &[&SeriesRecord]) -> Figure {
    let rows = series.iter().enumerate().map(|(colour, series)| Row {
        head: None,
        name: series.method.clone(),
        note: String::new(),
        words: in_words(&series.per_deadline),
        colour,
        shape: Shape::histogram(&series.per_deadline),
    });
    chart::rows(
        "The distribution of the wake-ups; heights are square roots, which show rare ones",
        "A histogram of lateness for each method, on one logarithmic scale.",
        &Axis::decades(occurring(series)),
        &Vec::from_iter(rows),
        &[],
    )
}

/// Writes both figures and their tables.
pub(super) fn write(out: &mut Markup, number: usize, series: &[&SeriesRecord]) {
    percentiles(series).write(out, &format!("curve-{number}"));
    let rows: Vec<_> = series.iter().map(|series| row(series)).collect();
    let head = [
        "method",
        "p50",
        "p90",
        "p99",
        "p99.9",
        "max",
        "early",
        "missed",
        "processor",
    ];
    let caption = "Lateness per deadline, with missed deadlines";
    table(out, caption, &head, &rows);
    histograms(series).write(out, &format!("histogram-{number}"));
    shares(out, series);
}

fn row(series: &SeriesRecord) -> Vec<String> {
    let late = &series.per_deadline;
    let mut row = vec![series.method.clone()];
    row.extend(late.shown());
    row.extend([series.early, series.missed].map(|count| count.to_string()));
    row.push(percent_in_words(series.processor_share));
    row
}

fn in_words(late: &Distribution) -> String {
    let [p50, p99, max] = [late.p50_ns, late.p99_ns, late.max_ns].map(nanos);
    format!("median {p50}, 99th percentile {p99}, longest {max}")
}

fn occurring(series: &[&SeriesRecord]) -> impl Iterator<Item = u64> {
    let late = series.iter().map(|series| &series.per_deadline.histogram);
    late.flat_map(|late| late.counts_by_ns.iter().map(|&(value, _)| value))
}

/// The share of each decade.
fn shares(out: &mut Markup, series: &[&SeriesRecord]) {
    let decades = scale::decades(occurring(series));
    let columns: Vec<_> = (*decades.start()..*decades.end()).collect();
    let names = columns.iter().map(|&from| format!("from {}", decade(from)));
    let head: Vec<_> = ["method".to_owned()].into_iter().chain(names).collect();
    let rows = series.iter().map(|series| {
        let shares = columns.iter();
        let shares = shares.map(|&from| share(&series.per_deadline, from));
        [series.method.clone()].into_iter().chain(shares).collect()
    });
    let rows: Vec<Vec<String>> = rows.collect();
    out.element("details", &[], |out| {
        out.leaf("summary", &[], "The histograms as a table");
        table(out, "Share of deadlines by lateness", &head, &rows);
    });
}

fn share(late: &Distribution, from: i32) -> String {
    let counts = late.histogram.counts_by_ns.iter();
    let within = counts.filter(|(value, _)| value.max(&1).ilog10().cast_signed() == from);
    let count: f64 = within.map(|&(_, count)| count as f64).sum();
    match count / late.count().max(1) as f64 {
        0.0 => "–".to_owned(),
        ..0.001 => "< 0.1 %".to_owned(),
        share => percent_in_words(share),
    }
}
