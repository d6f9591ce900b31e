//! How late several ways of waiting were: by percentile, as histograms, and as a table.

use crate::chart::{self, Axis, Line, Row, Shape};
use crate::distribution::Distribution;
use crate::figure::Figure;
use crate::markup::{Markup, table};
use crate::quantity::{decade, nanos, percent_in_words};
use crate::scale;

/// Names, and how late each was.
pub type Named<'a> = [(&'a str, &'a Distribution)];

/// By percentile.
pub fn percentiles(named: &Named<'_>) -> Figure {
    let x = Axis::nines(named.iter().map(|&(_, late)| late));
    let y = Axis::decades(occurring(named));
    let lines = named.iter().map(|&(name, late)| {
        let line = Line::percentiles(name, late);
        line.said(in_words(late))
    });
    chart::lines(
        "Lateness by percentile, with missed deadlines",
        &x.named("share of deadlines served within"),
        &y,
        &Vec::from_iter(lines),
    )
}

/// A histogram for each method, one below the other on one axis.
pub fn histograms(named: &Named<'_>) -> Figure {
    let rows = named.iter().enumerate().map(|(colour, &(name, late))| Row {
        head: None,
        name: name.to_owned(),
        note: String::new(),
        words: in_words(late),
        colour,
        shape: Shape::histogram(late),
    });
    chart::rows(
        "The distribution of the wake-ups; heights are square roots, which show rare ones",
        "A histogram of lateness for each method, on one logarithmic scale.",
        &Axis::decades(occurring(named)),
        &Vec::from_iter(rows),
        &[],
    )
}

fn in_words(late: &Distribution) -> String {
    let [p50, p99, max] = [late.p50_ns, late.p99_ns, late.max_ns].map(nanos);
    format!("median {p50}, 99th percentile {p99}, longest {max}")
}

fn occurring(named: &Named<'_>) -> impl Iterator<Item = u64> {
    let late = named.iter().map(|(_, late)| &late.histogram);
    late.flat_map(|late| late.counts_by_ns.iter().map(|&(value, _)| value))
}

/// The share of each decade.
pub fn shares(out: &mut Markup, named: &Named<'_>) {
    let decades = scale::decades(occurring(named));
    let columns: Vec<_> = (*decades.start()..*decades.end()).collect();
    let names = columns.iter().map(|&from| format!("from {}", decade(from)));
    let head: Vec<_> = ["method".to_owned()].into_iter().chain(names).collect();
    let rows = named.iter().map(|&(name, late)| {
        let shares = columns.iter().map(|&from| share(late, from));
        [name.to_owned()].into_iter().chain(shares).collect()
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
