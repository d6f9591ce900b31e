//! Lateness of a recording: by percentile, as histograms, and both as tables.

use punctual_data::distribution::Distribution;
use punctual_data::lateness::{histograms, percentiles, shares};
use punctual_data::markup::{Markup, table};
use punctual_data::quantity::percent_in_words;
use punctual_lab::measure::SeriesRecord;

/// The methods, and how late each served its deadlines.
pub(super) fn named<'a>(series: &[&'a SeriesRecord]) -> Vec<(&'a str, &'a Distribution)> {
    let series = series.iter();
    series
        .map(|series| (series.method.as_str(), &series.per_deadline))
        .collect()
}

/// Writes both figures and their tables.
pub(super) fn write(out: &mut Markup, number: usize, series: &[&SeriesRecord]) {
    let named = named(series);
    percentiles(&named).write(out, &format!("curve-{number}"));
    let rows: Vec<_> = series.iter().map(|series| row(series)).collect();
    let head = "method p50 p90 p99 p99.9 max early missed processor";
    let head: Vec<_> = head.split(' ').collect();
    let caption = "Lateness per deadline, with missed deadlines";
    table(out, caption, &head, &rows);
    histograms(&named).write(out, &format!("histogram-{number}"));
    shares(out, &named);
}

fn row(series: &SeriesRecord) -> Vec<String> {
    let late = &series.per_deadline;
    let mut row = vec![series.method.clone()];
    row.extend(late.shown());
    row.extend([series.early, series.missed].map(|count| count.to_string()));
    row.push(percent_in_words(series.processor_share));
    row
}
