//! What a wait takes in each language: a row per language, a column per machine. Each cell has the
//! mean, and a bar of its length.

use crate::windows::languages::{cell, legend, marked_label, title, version};
use punctual_data::figure::Figure;
use punctual_data::markup::{Attributes, Markup, table};
use punctual_data::svg::{self, At, LINE, WIDTH};
use punctual_lab::languages::{Cell, Recording, Row};

/// The left end of the first column, which leaves room for the names.
const LEFT: f64 = 178.0;
const RIGHT: f64 = WIDTH - 12.0;
const HEAD: f64 = 1.4 * LINE;
const ROW: f64 = 27.0;
/// Between two columns.
const GAP: f64 = 8.0;
const THICK: f64 = 6.0;

/// The colour of a mean that is nearly what was asked for, of one up to twice as long and a little,
/// and of a longer one.
const COLOURS: [usize; 3] = [2, 4, 1];

/// The figure alone.
pub(super) fn figure(found: &Recording) -> Figure {
    let legend = legend(found);
    let lines: Vec<_> = meanings().into_iter().chain(legend).collect();
    let rows: Vec<_> = found.rows.iter().map(|row| in_words(found, row)).collect();
    let about = rows.join("; ") + ".";
    let bottom = HEAD + ROW * found.rows.len() as f64;
    let height = bottom + LINE * (lines.len() as f64 + 0.6);
    Figure::draw(title(found), about, height, |out| {
        heads(out, found);
        for (index, row) in found.rows.iter().enumerate() {
            draw(out, found, row, HEAD + ROW * index as f64);
        }
        for (index, line) in lines.iter().enumerate() {
            let y = bottom + LINE * (index as f64 + 1.0);
            if let Some(&colour) = COLOURS.get(index) {
                bar(out, colour, (12.0, y - THICK), 22.0);
                svg::label(out, (42.0, y), "start", "axis", line);
            } else {
                svg::label(out, (12.0, y), "start", "axis", line);
            }
        }
    })
}

/// Writes the figure and its table.
pub(super) fn write(out: &mut Markup, id: &str, found: &Recording) {
    figure(found).write(out, id);
    let machines = &found.question.machines;
    let head: Vec<_> = ["language"]
        .into_iter()
        .chain(machines.iter().map(String::as_str))
        .collect();
    let rows: Vec<_> = found.rows.iter().map(cells).collect();
    let caption = format!("{}. {}", title(found), legend(found).join("; "));
    table(out, &caption, &head, &rows);
}

fn cells(row: &Row) -> Vec<String> {
    let cells = row.cells.iter().map(|found| shown(found.as_ref()));
    [marked_label(row)].into_iter().chain(cells).collect()
}

fn shown(found: Option<&Cell>) -> String {
    found.map_or("–".to_owned(), |found| {
        format!("{}{}", cell(found), found.confidence.level.sign())
    })
}

fn in_words(found: &Recording, row: &Row) -> String {
    let machines = &found.question.machines;
    let cells = row.cells.iter().enumerate();
    let cells = cells.filter_map(|(index, found)| {
        let found = found.as_ref()?;
        Some(format!("{} {} ms", version(machines, index), cell(found)))
    });
    let cells: Vec<_> = cells.collect();
    format!("{}: {}", row.label, cells.join(", "))
}

/// The meaning of the colours, in their order.
fn meanings() -> [String; 3] {
    [
        "up to a quarter longer than asked for",
        "up to two and a half times as long",
        "longer still; a bar is as long as its mean",
    ]
    .map(str::to_owned)
}

fn colour(found: &Recording, cell: &Cell) -> usize {
    let asked = found.question.length.as_nanos().max(1) as f64;
    let ratio = cell.mean_ns as f64 / asked;
    match ratio {
        ..1.25 => COLOURS[0],
        ..2.5 => COLOURS[1],
        _ => COLOURS[2],
    }
}

/// The left end and the width of a column.
fn column(found: &Recording, index: usize) -> (f64, f64) {
    let width = (RIGHT - LEFT) / found.question.machines.len().max(1) as f64;
    (LEFT + width * index as f64, width - GAP)
}

fn heads(out: &mut Markup, found: &Recording) {
    let machines = &found.question.machines;
    for index in 0..machines.len() {
        let (x, _) = column(found, index);
        let name = version(machines, index);
        svg::label(out, (x, HEAD - 0.6 * LINE), "start", "axis", &name);
    }
}

fn draw(out: &mut Markup, found: &Recording, row: &Row, y: f64) {
    let means = found.rows.iter().flat_map(|row| row.cells.iter().flatten());
    let longest = means.map(|cell| cell.mean_ns).max().unwrap_or(1).max(1) as f64;
    svg::rule(out, "grid", (12.0, y - 4.0), (RIGHT, y - 4.0));
    svg::label(out, (12.0, y + 13.0), "start", "cell", &marked_label(row));
    for (index, cell) in row.cells.iter().enumerate() {
        let (x, width) = column(found, index);
        svg::label(out, (x, y + 10.0), "start", "cell", &shown(cell.as_ref()));
        if let Some(cell) = cell {
            let length = (width * cell.mean_ns as f64 / longest).max(1.5);
            bar(out, colour(found, cell), (x, y + 14.0), length);
        }
    }
}

fn bar(out: &mut Markup, colour: usize, (x, y): (f64, f64), length: f64) {
    let attributes: Attributes = &[
        ("class", &svg::coloured("fill", colour)),
        ("x", &At(x)),
        ("y", &At(y)),
        ("width", &At(length)),
        ("height", &THICK),
        ("rx", &2),
    ];
    out.empty("rect", attributes);
}
