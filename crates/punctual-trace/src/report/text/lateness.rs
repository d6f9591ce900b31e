//! How late all wake-ups were: figures, and their distribution.

use punctual_data::bars::{Bar, bars};
use punctual_data::distribution::{Distribution, Figure};
use punctual_data::table::{Column, NAME_WIDTH, Table};
use punctual_data::text::Text;
use std::io;

/// Every wake-up counts, explained or not.
const NAME: &str = "all";

/// The figures of all wake-ups, and bars.
///
/// # Errors
/// When the text cannot be written.
pub fn write(out: &mut Text, lateness: &Distribution) -> io::Result<()> {
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

/// The figures of all wake-ups, in one row.
pub fn table(lateness: &Distribution) -> Table {
    let columns = Figure::OF_TABLES.map(|figure| Column::right(figure.name(), 9));
    let columns = [Column::left("wake-ups", NAME_WIDTH)]
        .into_iter()
        .chain(columns);
    let cells = [NAME.to_owned()].into_iter().chain(lateness.shown());
    Table::of(columns.collect()).with([cells.collect()])
}
