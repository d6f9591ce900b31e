//! Predictions for simulated machines next to the results of real ones: for every method of every
//! recording, a bar from its median to its 99th percentile.

use super::document::{Document, described, found, simulated};
use punctual_data::chart::{self, Axis, Shape};
use punctual_data::figure::Figure;
use punctual_data::markup::{Markup, table};
use punctual_data::quantity::nanos;
use punctual_lab::measure::Recording;
use punctual_lab::measure::SeriesRecord;
use punctual_windows::confidence::text as confidence;

struct Row<'a> {
    recording: &'a Recording,
    series: &'a SeriesRecord,
}

/// The figure alone, if there is something to compare.
pub(super) fn figure(documents: &[Document]) -> Option<Figure> {
    let rows = rows(documents);
    (!rows.is_empty()).then(|| draw(&rows))
}

/// Real machines first, then simulated ones; empty if nothing is predicted or compared.
fn rows(documents: &[Document]) -> Vec<Row<'_>> {
    let mut recordings: Vec<_> = found!(documents, Recording).collect();
    let is_simulated = |recording: &&Recording| simulated(recording).is_some();
    if !recordings.iter().any(is_simulated) || recordings.len() < 2 {
        return Vec::new();
    }
    recordings.sort_by_key(is_simulated);
    let rows = recordings.into_iter().flat_map(|recording| {
        let measured = recording.series.iter().filter(|series| series.count > 0);
        measured.map(move |series| Row { recording, series })
    });
    rows.collect()
}

/// Writes the section if there are predictions.
pub(super) fn write(out: &mut Markup, documents: &[Document]) {
    let rows = rows(documents);
    let Some(figure) = figure(documents) else {
        return;
    };
    out.leaf("h2", &[], "This machine, and predictions for every Windows");
    out.leaf(
        "p",
        &[],
        "A simulated machine has the timers of its version of Windows. It does not have your \
         drivers, your firmware, or the speed of your processor.",
    );
    figure.write(out, "predictions");
    // What was measured stands above.
    let predicted = rows.iter().filter(|row| simulated(row.recording).is_some());
    let cells = predicted.map(|row| {
        let late = &row.series.per_deadline;
        let mut cells = vec![described(row.recording), row.series.method.clone()];
        cells.extend([late.p50_ns, late.p99_ns, late.max_ns].map(nanos));
        cells.push(row.series.missed.to_string());
        cells.push(confidence::word(row.series.confidence.as_ref()));
        cells
    });
    let cells: Vec<_> = cells.collect();
    let head = [
        "machine",
        "method",
        "p50",
        "p99",
        "max",
        "missed",
        "confidence",
    ];
    table(out, "Lateness per deadline, as predicted", &head, &cells);
}

/// The names of machines stand above their methods.
fn draw(rows: &[Row]) -> Figure {
    let mut last = None;
    let drawn = rows.iter().map(|row| {
        let machine = described(row.recording);
        let is_first = last
            .replace(row.recording)
            .is_none_or(|last| !std::ptr::eq(last, row.recording));
        let late = &row.series.per_deadline;
        let [p50, p99] = [late.p50_ns, late.p99_ns].map(nanos);
        let sign = confidence::sign(row.series.confidence.as_ref());
        chart::Row {
            name: format!("{}{sign}", row.series.method),
            note: String::new(),
            words: format!("{machine}, median {p50}, 99th percentile {p99}"),
            head: is_first.then_some(machine),
            colour: usize::from(simulated(row.recording).is_some()),
            shape: Shape::Range(late.p50_ns, late.p99_ns),
        }
    });
    let drawn: Vec<_> = drawn.collect();
    let ends = rows.iter().map(|row| &row.series.per_deadline);
    let ends = ends.flat_map(|late| [late.p50_ns, late.p99_ns]);
    let said = rows.iter().filter_map(|row| row.series.confidence.as_ref());
    chart::rows(
        "Lateness from the median (dot) to the 99th percentile (bar's end)",
        "",
        &Axis::decades(ends),
        &drawn,
        &confidence::legend(said),
    )
}
