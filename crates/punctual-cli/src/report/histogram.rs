//! The distribution of the wake-ups: a histogram for each method, one above the other on one scale.

use super::curve;
use punctual_data::distribution::Distribution;
use punctual_data::figure::Figure;
use punctual_data::markup::{Markup, table};
use punctual_data::quantity::{decade, percent_in_words};
use punctual_data::scale::{self, Scale};
use punctual_data::svg::{self, LINE, MOST_LINES};
use punctual_lab::measure::SeriesRecord;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

const BINS_PER_DECADE: f64 = 12.0;
const LEFT: f64 = 32.0;
const RIGHT: f64 = svg::WIDTH - 40.0;
/// The height for one method, with its name.
const ROW: f64 = 64.0;
const HIGHEST: f64 = 36.0;
/// The smallest height of a bar: one event in millions must be visible.
const LEAST: f64 = 1.5;

/// The figure alone.
pub(super) fn figure(series: &[&SeriesRecord]) -> Figure {
    let decades = decades(series);
    let drawn = &series[..series.len().min(MOST_LINES)];
    let bottom = ROW * drawn.len() as f64;
    let title = "The distribution of the wake-ups";
    let about = format!(
        "A histogram of lateness for each method, on one logarithmic scale; rare values are drawn \
         higher than they are, so that they are visible. {}",
        curve::description(series)
    );
    Figure::draw(title, about, bottom + 1.6 * LINE, |out| {
        let x = Scale::of_decades(&decades, (LEFT, RIGHT));
        svg::decade_columns(out, &decades, &x, (0.0, bottom));
        for (number, series) in drawn.iter().enumerate() {
            let floor = ROW * (number + 1) as f64;
            svg::label(
                out,
                (LEFT, floor - ROW + 17.0),
                "start",
                "name",
                &series.method,
            );
            bars(out, &series.per_deadline, &x, number, floor);
            svg::rule(out, "floor", (LEFT, floor), (RIGHT, floor));
        }
    })
}

/// Writes the figure, and the share of each decade as a table.
pub(super) fn write(out: &mut Markup, id: &str, series: &[&SeriesRecord]) {
    figure(series).write(out, id);
    shares(out, series, &decades(series));
}

/// The decades that contain every lateness.
fn decades(series: &[&SeriesRecord]) -> RangeInclusive<i32> {
    let values = series.iter().flat_map(|series| {
        let counts = &series.per_deadline.histogram.counts_by_ns;
        counts.iter().map(|&(value, _)| value)
    });
    scale::decades(values)
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a few hundred bins at most"
)]
fn bin(nanos: u64) -> i32 {
    // A bin begins with its first value: rounding must not move that value into the bin before.
    (scale::log(nanos) * BINS_PER_DECADE + 1e-9).floor() as i32
}

fn bars(out: &mut Markup, summary: &Distribution, x: &Scale, number: usize, floor: f64) {
    let mut bins: BTreeMap<i32, f64> = BTreeMap::new();
    for &(value, count) in &summary.histogram.counts_by_ns {
        *bins.entry(bin(value)).or_default() += count as f64;
    }
    let most = bins.values().copied().fold(1.0, f64::max);
    let all = summary.count().max(1) as f64;
    for (bin, count) in bins.into_iter().filter(|(_, count)| *count > 0.0) {
        let place = |bin: i32| x.place(f64::from(bin) / BINS_PER_DECADE);
        let (from, to) = (place(bin), place(bin + 1));
        let height = (HIGHEST * count / most).max(LEAST);
        let size = ((to - from - 0.8).max(0.8), height);
        let share = percent_in_words(count / all);
        svg::rect(
            out,
            &svg::filled(number),
            (from, floor - height),
            size,
            Some(&share),
        );
    }
}

fn shares(out: &mut Markup, series: &[&SeriesRecord], decades: &RangeInclusive<i32>) {
    let columns: Vec<_> = (*decades.start()..*decades.end()).collect();
    let names = columns.iter().map(|&from| format!("from {}", decade(from)));
    let head: Vec<_> = ["method".to_owned()].into_iter().chain(names).collect();
    let rows = series.iter().map(|series| {
        let summary = &series.per_deadline;
        let all = summary.count().max(1) as f64;
        let shares = columns.iter().map(|&from| share(summary, from, all));
        [series.method.clone()].into_iter().chain(shares).collect()
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let head: Vec<_> = head.iter().map(String::as_str).collect();
    out.element("details", &[], |out| {
        out.leaf("summary", &[], "The histograms as a table");
        table(out, "Share of deadlines by lateness", &head, &rows);
    });
}

fn share(summary: &Distribution, from: i32, all: f64) -> String {
    let counts = summary.histogram.counts_by_ns.iter();
    let within = counts.filter(|(value, _)| value.max(&1).ilog10().cast_signed() == from);
    let count: f64 = within.map(|&(_, count)| count as f64).sum();
    match count / all {
        0.0 => "–".to_owned(),
        ..0.001 => "< 0.1 %".to_owned(),
        share => percent_in_words(share),
    }
}
