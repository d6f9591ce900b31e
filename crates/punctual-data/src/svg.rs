//! The parts of every figure: scales, line styles, and labels that do not overlap.

use crate::markup::{Attributes, Markup};
use crate::quantity;
use crate::scale::Scale;
use std::fmt;
use std::ops::RangeInclusive;

/// The width of a figure in its own units, which are pixels if there is room.
pub const WIDTH: f64 = 640.0;

/// The distance between lines of text, which is large enough for a phone.
pub const LINE: f64 = 21.0;

/// The most lines or bars in one figure. The others are only in the table.
pub const MOST_LINES: usize = 16;

/// As many as a timeline can have causes, with a trace and without.
const COLOURS: usize = 22;
/// Dashes tell lines apart without colours.
const DASHES: [&str; 4] = ["none", "8 4", "2 4", "10 4 2 4"];

/// A coordinate in tenths of a unit, which is finer than the eye can see.
///
/// Logarithms differ in their last bits between systems, and pictures must not. So a value half way
/// between two tenths is first rounded to that exact half.
#[derive(Debug, Clone, Copy)]
pub struct At(pub f64);

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1}", (self.0 * 1e6).round() / 1e6)
    }
}

/// Text at a place; `anchor` is `start`, `middle` or `end`.
pub fn label(out: &mut Markup, (x, y): (f64, f64), anchor: &str, class: &str, text: &str) {
    let attributes: Attributes = &[
        ("x", &At(x)),
        ("y", &At(y)),
        ("text-anchor", &anchor),
        ("class", &class),
    ];
    out.leaf("text", attributes, text);
}

/// A thin straight line.
pub fn rule(out: &mut Markup, class: &str, from: (f64, f64), to: (f64, f64)) {
    let attributes: Attributes = &[
        ("class", &class),
        ("x1", &At(from.0)),
        ("y1", &At(from.1)),
        ("x2", &At(to.0)),
        ("y2", &At(to.1)),
    ];
    out.empty("line", attributes);
}

/// Horizontal lines at decades, with their names at the left.
pub fn decade_rows(out: &mut Markup, decades: &RangeInclusive<i32>, y: &Scale, right: f64) {
    for decade in every_few(decades) {
        let at = y.place(f64::from(decade));
        rule(out, "grid", (LEFT, at), (right, at));
        label(
            out,
            (LEFT - 6.0, at + 4.0),
            "end",
            "axis",
            &quantity::decade(decade),
        );
    }
}

/// Vertical lines at decades, with their names below.
pub fn decade_columns(
    out: &mut Markup,
    decades: &RangeInclusive<i32>,
    x: &Scale,
    (top, bottom): (f64, f64),
) {
    for decade in every_few(decades) {
        let at = x.place(f64::from(decade));
        rule(out, "grid", (at, top), (at, bottom));
        label(
            out,
            (at, bottom + LINE),
            "middle",
            "axis",
            &quantity::decade(decade),
        );
    }
}

/// The right end of lines, which leaves room for their names.
pub const PLOT_RIGHT: f64 = WIDTH - 186.0;

/// The room for the name of a decade.
pub const LEFT: f64 = 78.0;

/// The number of decades with room for their names.
fn every_few(decades: &RangeInclusive<i32>) -> impl Iterator<Item = i32> {
    const MOST: i32 = 7;
    let step = (decades.end() - decades.start()) / MOST + 1;
    decades.clone().step_by(usize::try_from(step).unwrap_or(1))
}

/// A line through points, in the style of its number.
pub fn line(out: &mut Markup, number: usize, points: &[(f64, f64)], name: &str) {
    lines(out, number, &[points], name);
}

/// Several lines in one style, with gaps between them. A line of one point is a dot.
pub fn lines(out: &mut Markup, number: usize, parts: &[impl AsRef<[(f64, f64)]>], name: &str) {
    let mut path = String::new();
    for points in parts.iter().map(AsRef::as_ref) {
        for (index, &(x, y)) in points.iter().enumerate() {
            let letter = if index == 0 { 'M' } else { 'L' };
            path += &format!("{letter}{} {}", At(x), At(y));
        }
        if points.len() == 1 {
            path += "h.1";
        }
    }
    let attributes: Attributes = &[
        ("class", &format!("line c{}", number % COLOURS)),
        ("stroke-dasharray", &dashes(number)),
        ("d", &path),
    ];
    out.element("path", attributes, |out| out.leaf("title", &[], name));
}

/// A rectangle. The title, if there is one, appears when the mouse points at it.
pub fn rect(
    out: &mut Markup,
    class: &str,
    (x, y): (f64, f64),
    (width, height): (f64, f64),
    title: Option<&str>,
) {
    let attributes: Attributes = &[
        ("class", &class),
        ("x", &At(x)),
        ("y", &At(y)),
        ("width", &At(width)),
        ("height", &At(height)),
    ];
    match title {
        Some(title) => out.element("rect", attributes, |out| out.leaf("title", &[], title)),
        None => out.empty("rect", attributes),
    }
}

/// The dashes of a number: neighbours differ, and so does the next number with the same colour.
fn dashes(number: usize) -> &'static str {
    DASHES[(number + number / COLOURS) % DASHES.len()]
}

/// A filled rectangle in the style of its number: its colour, and its dashes along the lower edge,
/// which tell it apart without colours. `title` appears when the mouse points at it.
pub fn block(
    out: &mut Markup,
    number: usize,
    (x, y): (f64, f64),
    (width, height): (f64, f64),
    title: &str,
) {
    /// The distance from the lower edge to the middle of the dashes.
    const ABOVE_EDGE: f64 = 4.0;
    let class = filled(number) + " part";
    rect(out, &class, (x, y), (width, height), Some(title));
    let dashes = dashes(number);
    if dashes != DASHES[0] {
        let edge = At(y + height - ABOVE_EDGE);
        let attributes: Attributes = &[
            ("class", &"dashes"),
            ("stroke-dasharray", &dashes),
            ("x1", &At(x)),
            ("y1", &edge),
            ("x2", &At(x + width)),
            ("y2", &edge),
        ];
        out.empty("line", attributes);
    }
}

/// The class of a fill in the colour of a number.
pub fn filled(number: usize) -> String {
    format!("fill c{}", number % COLOURS)
}

/// Leaves out points that look the same as those before them.
pub fn thinned(points: impl Iterator<Item = (f64, f64)>) -> Vec<(f64, f64)> {
    const VISIBLE: f64 = 0.7;
    let mut kept: Vec<(f64, f64)> = Vec::new();
    let mut last = None;
    for (x, y) in points {
        let is_far = |&(from_x, from_y): &(f64, f64)| {
            (x - from_x).abs() >= VISIBLE || (y - from_y).abs() >= VISIBLE
        };
        if kept.last().is_none_or(is_far) {
            kept.push((x, y));
            last = None;
        } else {
            last = Some((x, y));
        }
    }
    kept.extend(last);
    kept
}

/// The end of a line, and its name.
pub struct End<'a> {
    /// Where the line ends.
    pub at: (f64, f64),
    /// The number of its style.
    pub number: usize,
    /// What it is called.
    pub name: &'a str,
}

/// Names at the ends of lines, moved apart so that they do not overlap.
pub fn end_labels(out: &mut Markup, ends: &[End], bottom: f64) {
    let mut ends: Vec<&End> = ends.iter().collect();
    ends.sort_by(|one, other| one.at.1.total_cmp(&other.at.1));
    let mut places: Vec<f64> = Vec::new();
    for end in &ends {
        let free = places.last().map_or(LINE, |last| last + LINE);
        places.push(end.at.1.max(free));
    }
    let mut lowest = bottom;
    for place in places.iter_mut().rev() {
        *place = place.min(lowest);
        lowest = *place - LINE;
    }
    for (end, &place) in ends.iter().zip(&places) {
        let class = format!("leader c{}", end.number % COLOURS);
        rule(out, &class, end.at, (PLOT_RIGHT + 14.0, place));
        let class = format!("name c{}", end.number % COLOURS);
        let at = (PLOT_RIGHT + 18.0, place + 4.0);
        label(out, at, "start", &class, end.name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thinned_line_begins_and_ends_where_it_did() {
        let many = (0..10_000_u32).map(|step| (f64::from(step) / 100.0, 0.0));
        let kept = thinned(many);
        assert!(kept.len() < 200);
        assert_eq!((kept[0].0, kept[kept.len() - 1].0), (0.0, 99.99));
    }
}
