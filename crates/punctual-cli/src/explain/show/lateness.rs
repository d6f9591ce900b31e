//! How late all wake-ups were: figures, and their distribution.

use punctual_data::bars::{Bar, bars};
use punctual_data::quantity::nanos;
use punctual_data::table::{Column, NAME_WIDTH, Table};
use punctual_data::text::Text;
use punctual_trace::report::Distribution;
use std::io;

/// Every wake-up counts, explained or not.
const NAME: &str = "all";

pub(super) fn write(out: &mut Text, lateness: &Distribution) -> io::Result<()> {
    table(lateness).text(out)?;
    let counts_by_ns = &lateness.histogram.counts_by_ns;
    bars(
        out,
        &[Bar {
            name: NAME,
            counts_by_ns,
        }],
    )
}

pub(super) fn table(lateness: &Distribution) -> Table {
    let figures = [
        ("p50", lateness.p50_ns),
        ("p90", lateness.p90_ns),
        ("p99", lateness.p99_ns),
        ("p99.9", lateness.p999_ns),
        ("max", lateness.max_ns),
    ];
    let columns = figures.map(|(name, _)| Column::right(name, 9));
    let columns = [Column::left("wake-ups", NAME_WIDTH)]
        .into_iter()
        .chain(columns);
    let cells = figures.map(|(_, ns)| nanos(ns));
    let cells = [NAME.to_owned()].into_iter().chain(cells);
    Table::of(columns.collect()).with([cells.collect()])
}
