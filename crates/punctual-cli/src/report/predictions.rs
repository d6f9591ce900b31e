//! Predictions for simulated machines next to the results of real ones: for every method of every
//! recording, a bar from its median to its 99th percentile.

use super::document::{Document, described, found, simulated};
use crate::show::confidence;
use punctual_data::figure::Figure;
use punctual_data::markup::{Attributes, Markup, table};
use punctual_data::quantity::nanos;
use punctual_data::scale::{self, Scale};
use punctual_data::svg::{self, At, LINE};
use punctual_lab::measure::Recording;
use punctual_lab::measure::SeriesRecord;

const LEFT: f64 = 32.0;
const RIGHT: f64 = svg::WIDTH - 40.0;
const ROW: f64 = 34.0;
/// The most rows of the figure; the table has all.
const MOST_ROWS: usize = 60;

struct Row<'a> {
    recording: &'a Recording,
    series: &'a SeriesRecord,
}

/// The figure alone, if there is something to compare.
pub(super) fn figure(documents: &[Document]) -> Option<Figure> {
    let rows = rows(documents);
    (!rows.is_empty()).then(|| draw(&rows[..rows.len().min(MOST_ROWS)]))
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

/// The method, and how far to trust its figures if they are predictions.
fn labelled(row: &Row) -> String {
    let sign = confidence::sign(row.series.confidence.as_ref());
    format!("{}{sign}", row.series.method)
}

fn in_words(row: &Row) -> String {
    let late = &row.series.per_deadline;
    let [p50, p99] = [late.p50_ns, late.p99_ns].map(nanos);
    let (machine, name) = (described(row.recording), labelled(row));
    format!("{machine}, {name}: median {p50}, 99th percentile {p99}")
}

/// The names of machines stand above their methods.
fn draw(rows: &[Row]) -> Figure {
    let machines = rows.chunk_by(|one, other| std::ptr::eq(one.recording, other.recording));
    let machines: Vec<_> = machines.collect();
    let bottom = 0.5 * LINE + ROW * rows.len() as f64 + 1.5 * LINE * machines.len() as f64;
    let ends = rows.iter().flat_map(|row| {
        let late = &row.series.per_deadline;
        [late.p50_ns, late.p99_ns]
    });
    let decades = scale::decades(ends);
    let x = Scale::of_decades(&decades, (LEFT, RIGHT));
    let title = "Lateness from the median (dot) to the 99th percentile (bar's end)";
    let words: Vec<_> = rows.iter().map(in_words).collect();
    let about = words.join("; ") + ".";
    let said = rows.iter().filter_map(|row| row.series.confidence.as_ref());
    let legend = confidence::legend(said);
    let floor = bottom + 1.6 * LINE;
    Figure::draw(title, about, floor + LINE * legend.len() as f64, |out| {
        svg::decade_columns(out, &decades, &x, (0.0, bottom));
        let mut y = 0.0;
        for machine in machines {
            y += 1.5 * LINE;
            let name = described(machine[0].recording);
            svg::label(out, (LEFT, y + 6.0), "start", "machine", &name);
            for row in machine {
                y += ROW;
                range(out, row, &x, y);
            }
        }
        for (index, line) in legend.iter().enumerate() {
            let y = floor + LINE * (index as f64 + 0.6);
            svg::label(out, (LEFT, y), "start", "name", line);
        }
    })
}

fn range(out: &mut Markup, row: &Row, x: &Scale, y: f64) {
    let late = &row.series.per_deadline;
    let [p50, p99] = [late.p50_ns, late.p99_ns].map(|nanos| x.place(scale::log(nanos)));
    let number = usize::from(simulated(row.recording).is_some());
    let (from, to) = (p50.min(p99), p50.max(p99));
    // The name stands on the side without the bar.
    let is_right = from > f64::midpoint(LEFT, RIGHT);
    let (at, anchor) = if is_right {
        (from - 12.0, "end")
    } else {
        (to + 12.0, "start")
    };
    svg::label(out, (at, y - 1.0), anchor, "name", &labelled(row));
    let (corner, length) = ((from, y - 8.5), (to - from).max(1.0));
    svg::rect(out, &svg::filled(number), corner, (length, 7.0), None);
    let dot: Attributes = &[
        ("class", &svg::filled(number)),
        ("cx", &At(p50)),
        ("cy", &At(y - 5.0)),
        ("r", &6),
    ];
    out.empty("circle", dot);
}
