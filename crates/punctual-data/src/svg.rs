//! The parts of every figure: labels, lines and rectangles, and their styles.

use crate::markup::{Attributes, Markup};
use std::fmt;

/// The width of a figure in its own units, which are pixels if there is room.
pub const WIDTH: f64 = 640.0;

/// The distance between lines of text, which is large enough for a phone.
pub const LINE: f64 = 21.0;

/// As many as a timeline can have causes, with a trace and without.
const COLOURS: usize = 23;
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
        ("class", &coloured("line", number)),
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
    let class = coloured("fill", number) + " part";
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

/// The classes of a thing in the colour of a number.
pub fn coloured(class: &str, number: usize) -> String {
    format!("{class} c{}", number % COLOURS)
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
