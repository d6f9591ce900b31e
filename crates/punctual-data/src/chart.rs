//! Charts: lines over two axes, and rows of bars along one. Whoever draws says which series and which titles.

use crate::distribution::Distribution;
use crate::figure::Figure;
use crate::markup::{Attributes, Markup};
use crate::quantity::{decade, exact_nanos, percent_in_words, rounded};
use crate::scale::{self, Scale};
use crate::svg::{self, At, LINE, WIDTH};
use std::collections::BTreeMap;

/// The ends of the plot of lines. There is room for names of values at its left, and of lines at its right.
const ACROSS: (f64, f64) = (78.0, WIDTH - 186.0);
const UP: (f64, f64) = (320.0, 12.0);
/// The same of rows, whose names stand above their bars.
const ALONG: (f64, f64) = (32.0, WIDTH - 40.0);
/// The most lines or rows of a chart. The others are only in the table.
const MOST_LINES: usize = 16;
const MOST_ROWS: usize = 60;

/// The values of a chart in one direction, with names for some of them.
#[derive(Debug, Clone)]
pub struct Axis {
    values: (f64, f64),
    is_by_decade: bool,
    /// Those that matter most come first: a name that would overlap one before it is left out.
    marks: Vec<(f64, String)>,
    name: String,
}

impl Axis {
    /// Between two values, with these names.
    pub fn of(values: (f64, f64), marks: impl IntoIterator<Item = (f64, String)>) -> Self {
        Self {
            values,
            is_by_decade: false,
            marks: marks.into_iter().collect(),
            name: String::new(),
        }
    }

    /// The decades of durations in nanoseconds.
    pub fn decades(nanos: impl Iterator<Item = u64>) -> Self {
        let decades = scale::decades(nanos);
        let value = |exponent: i32| 10_f64.powi(exponent);
        let ends = (value(*decades.start()), value(*decades.end()));
        let marks = decades.map(|exponent| (value(exponent), decade(exponent)));
        Self {
            is_by_decade: true,
            ..Self::of(ends, marks)
        }
    }

    /// From zero to a duration in nanoseconds, with round numbers.
    pub fn even(most_ns: u64) -> Self {
        let most = (most_ns as f64).max(1e6);
        let step = step(most);
        let marks = (0_u32..)
            .map(|number| f64::from(number) * step)
            .take_while(|mark| *mark < most + step);
        let named = marks.map(|mark| match rounded(mark) {
            0 => (mark, "0".to_owned()),
            nanos => (mark, exact_nanos(nanos)),
        });
        let marks: Vec<_> = named.collect();
        let end = marks.last().map_or(most, |mark| mark.0);
        Self::of((0.0, end), marks)
    }

    /// Percentiles, as `HdrHistogram`'s plotters draw them: every nine is as wide as the one before, so the rarest values
    /// have as much room as all others. There are two nines at least, and as many as the longest of the series shows.
    pub fn nines<'a>(of: impl Iterator<Item = &'a Distribution>) -> Self {
        const NAMES: [&str; 9] = [
            "0", "90 %", "99 %", "99.9 %", "99.99 %", "99.999 %", "6 nines", "7 nines", "8 nines",
        ];
        let most = of.map(Distribution::count).max().unwrap_or(0);
        let nines = (most as f64).max(100.0).log10();
        let marks = (0_u32..).map(f64::from).zip(NAMES.map(str::to_owned));
        Self::of((0.0, nines), marks.take_while(|mark| mark.0 <= nines))
    }

    /// The same axis with a name below it.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Where values are drawn.
    fn places(&self, places: (f64, f64)) -> impl Fn(f64) -> f64 {
        let is_by_decade = self.is_by_decade;
        let value = move |value: f64| match is_by_decade {
            true => value.max(1.0).log10(),
            false => value,
        };
        let values = (value(self.values.0), value(self.values.1));
        let scale = Scale { values, places };
        move |at| scale.place(value(at))
    }

    /// The names that are at least so far apart, with their places.
    fn marks(&self, places: (f64, f64), room: f64) -> Vec<(f64, &str)> {
        let place = self.places(places);
        let mut kept: Vec<(f64, &str)> = Vec::new();
        for (value, name) in &self.marks {
            let at = place(*value);
            if kept.iter().all(|(other, _)| (at - other).abs() >= room) {
                kept.push((at, name));
            }
        }
        kept
    }

    /// Vertical lines with their names below.
    fn columns(&self, out: &mut Markup, places: (f64, f64), (top, bottom): (f64, f64)) {
        /// As wide as a name on a phone.
        const ROOM: f64 = 62.0;
        for (at, name) in self.marks(places, ROOM) {
            svg::rule(out, "grid", (at, top), (at, bottom));
            svg::label(out, (at, bottom + LINE), "middle", "axis", name);
        }
        let below = (f64::midpoint(places.0, places.1), bottom + 2.1 * LINE);
        if !self.name.is_empty() {
            svg::label(out, below, "middle", "axis", &self.name);
        }
    }

    /// The height of the names below.
    fn height(&self) -> f64 {
        LINE * if self.name.is_empty() { 1.6 } else { 2.5 }
    }
}

/// A round number that divides a range into a handful of parts.
fn step(range: f64) -> f64 {
    let decade = 10_f64.powf(range.log10().floor());
    let steps = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0].map(|digit| digit * decade);
    let fits = |step: &f64| range / step <= 6.0;
    steps.into_iter().find(fits).unwrap_or(decade)
}

/// A line through values of both axes.
#[derive(Debug)]
pub struct Line {
    /// What it is called, at its end.
    pub name: String,
    /// What it shows, for readers who cannot see it.
    pub words: String,
    parts: Vec<Vec<(f64, f64)>>,
    has_dots: bool,
}

impl Line {
    /// Through points, each of them with a dot.
    pub fn through(name: impl Into<String>, points: impl Iterator<Item = (f64, f64)>) -> Self {
        Self {
            has_dots: true,
            ..Self::with_gaps(name, vec![points.collect()])
        }
    }

    /// Through points, with gaps between its parts.
    pub fn with_gaps(name: impl Into<String>, parts: Vec<Vec<(f64, f64)>>) -> Self {
        Self {
            name: name.into(),
            words: String::new(),
            parts,
            has_dots: false,
        }
    }

    /// In steps, from zero on: where each ends, and its height.
    pub fn steps(name: impl Into<String>, steps: impl Iterator<Item = (f64, f64)>) -> Self {
        let mut from = 0.0;
        let points = steps.flat_map(|(to, height)| {
            let ends = [(from, height), (to, height)];
            from = to;
            ends
        });
        Self::with_gaps(name, vec![points.collect()])
    }

    /// A distribution over its [nines](Axis::nines). Each value covers the shares from those before it to those up to it. The
    /// last would end at infinity, so it ends where the last value begins.
    pub fn percentiles(name: impl Into<String>, of: &Distribution) -> Self {
        let all = of.count() as f64;
        let end = all.max(1.0).log10();
        let mut counts = of.histogram.counts_by_ns.clone();
        counts.sort_unstable();
        let mut seen = 0.0;
        let steps = counts.into_iter().map(|(value, count)| {
            seen += count as f64;
            let nines = (all / (all - seen).max(1.0)).log10().min(end);
            (nines, value as f64)
        });
        Self::steps(name, steps)
    }

    /// The same line with what it shows in words.
    #[must_use]
    pub fn said(mut self, words: impl Into<String>) -> Self {
        self.words = words.into();
        self
    }
}

/// What all series show, in words.
fn about<'a>(first: &str, series: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let series = series.map(|(name, words)| format!("{name}: {words}"));
    let all: Vec<_> = series.collect();
    format!("{first} {}.", all.join("; ")).trim().to_owned()
}

/// Lines over two axes, each with its name at its end.
pub fn lines(title: impl Into<String>, x: &Axis, y: &Axis, lines: &[Line]) -> Figure {
    let lines = &lines[..lines.len().min(MOST_LINES)];
    let words = lines
        .iter()
        .map(|line| (line.name.as_str(), line.words.as_str()));
    Figure::draw(title, about("", words), UP.0 + x.height(), |out| {
        let (across, up) = (x.places(ACROSS), y.places(UP));
        for (at, name) in y.marks(UP, LINE) {
            svg::rule(out, "grid", (ACROSS.0, at), (ACROSS.1, at));
            svg::label(out, (ACROSS.0 - 6.0, at + 4.0), "end", "axis", name);
        }
        x.columns(out, ACROSS, (UP.1, UP.0));
        let mut ends = Vec::new();
        for (number, line) in lines.iter().enumerate() {
            let place = |&(x, y): &(f64, f64)| (across(x), up(y));
            let parts = line.parts.iter();
            let parts = parts.map(|part| svg::thinned(part.iter().map(place)));
            let parts: Vec<_> = parts.collect();
            svg::lines(out, number, &parts, &line.name);
            if line.has_dots {
                let dots = parts.iter().flatten();
                dots.for_each(|&at| dot(out, number, at, 3.5));
            }
            let end = parts.iter().flatten().last();
            ends.extend(end.map(|&at| (at, number, line.name.as_str())));
        }
        end_labels(out, ends);
    })
}

/// Names at the ends of lines, moved apart so that they do not overlap.
fn end_labels(out: &mut Markup, mut ends: Vec<((f64, f64), usize, &str)>) {
    ends.sort_by(|one, other| one.0.1.total_cmp(&other.0.1));
    let mut places: Vec<f64> = Vec::new();
    for end in &ends {
        let free = places.last().map_or(LINE, |last| last + LINE);
        places.push(end.0.1.max(free));
    }
    let mut lowest = UP.0;
    for place in places.iter_mut().rev() {
        *place = place.min(lowest);
        lowest = *place - LINE;
    }
    for ((at, number, name), place) in ends.into_iter().zip(places) {
        let class = |kind| svg::coloured(kind, number);
        svg::rule(out, &class("leader"), at, (ACROSS.1 + 14.0, place));
        let beside = (ACROSS.1 + 18.0, place + 4.0);
        svg::label(out, beside, "start", &class("name"), name);
    }
}

fn dot(out: &mut Markup, number: usize, (x, y): (f64, f64), radius: f64) {
    let attributes: Attributes = &[
        ("class", &svg::coloured("fill", number)),
        ("cx", &At(x)),
        ("cy", &At(y)),
        ("r", &radius),
    ];
    out.empty("circle", attributes);
}

/// One of several things that are drawn below each other, along one axis.
#[derive(Debug)]
pub struct Row {
    /// What stands above it and those that follow it.
    pub head: Option<String>,
    /// What it is called; empty if it is the only one.
    pub name: String,
    /// What stands at the right of its name.
    pub note: String,
    /// What it shows, for readers who cannot see it.
    pub words: String,
    /// The number of its colour.
    pub colour: usize,
    /// What is drawn.
    pub shape: Shape,
}

/// What is drawn of a row. Durations are in nanoseconds.
#[derive(Debug)]
pub enum Shape {
    /// It is not known.
    Nothing,
    /// How many there are of each range.
    Histogram(Vec<Bin>),
    /// A bar from the beginning of the axis to a duration; an outline if it is a bound.
    Length {
        /// Where it ends.
        nanos: u64,
        /// Whether it is no longer than this.
        is_bound: bool,
    },
    /// A bar between two durations, with a dot at the first.
    Range(u64, u64),
}

/// A range of durations in nanoseconds, and how many are in it.
#[derive(Debug)]
pub struct Bin {
    /// The ends of the range.
    pub ends: (f64, f64),
    /// How many there are.
    pub count: u64,
    /// What appears when the mouse points at it.
    pub title: String,
}

impl Shape {
    /// The histogram of a distribution, in twelfths of decades.
    pub fn histogram(of: &Distribution) -> Self {
        const PER_DECADE: f64 = 12.0;
        let mut bins: BTreeMap<u64, u64> = BTreeMap::new();
        for &(value, count) in &of.histogram.counts_by_ns {
            // A bin begins with its first value: rounding must not move that value into the bin before.
            let bin = (scale::log(value) * PER_DECADE + 1e-9).floor();
            let counted = bins.entry(rounded(bin)).or_default();
            *counted = counted.saturating_add(count);
        }
        let all = of.count().max(1) as f64;
        let end = |bin: u64| 10_f64.powf(bin as f64 / PER_DECADE);
        let bins = bins.into_iter().filter(|(_, count)| *count > 0);
        let bins = bins.map(|(bin, count)| Bin {
            ends: (end(bin), end(bin + 1)),
            count,
            title: percent_in_words(count as f64 / all),
        });
        Self::Histogram(bins.collect())
    }

    /// Its height. A single histogram is higher than one of many.
    fn height(&self, rows: usize) -> f64 {
        match self {
            Self::Histogram(_) => (200.0 / rows as f64).max(40.0),
            Self::Length { .. } | Self::Nothing => 10.0,
            Self::Range(..) => 12.0,
        }
    }

    fn draw(&self, out: &mut Markup, place: impl Fn(f64) -> f64, number: usize, y: (f64, f64)) {
        let fill = svg::coloured("fill", number);
        match *self {
            Self::Nothing => {}
            Self::Histogram(ref bins) => {
                histogram(out, bins, place, &fill, y);
                svg::rule(out, "floor", (ALONG.0, y.1), (ALONG.1, y.1));
            }
            Self::Length { nanos, is_bound } => {
                let class = match is_bound {
                    true => svg::coloured("outline", number),
                    false => fill,
                };
                let length = (place(nanos as f64) - ALONG.0).max(1.0);
                svg::rect(out, &class, (ALONG.0, y.0), (length, y.1 - y.0), None);
            }
            Self::Range(from, to) => {
                let (from, to) = (place(from as f64), place(to as f64));
                let corner = (from.min(to), y.0 + 2.5);
                svg::rect(out, &fill, corner, ((to - from).abs().max(1.0), 7.0), None);
                dot(out, number, (from, y.0 + 6.0), 6.0);
            }
        }
    }
}

/// Areas are by count, as bins may have different widths. Heights are square roots, which show rare ones too.
fn histogram(
    out: &mut Markup,
    bins: &[Bin],
    place: impl Fn(f64) -> f64,
    fill: &str,
    (top, floor): (f64, f64),
) {
    /// One in millions must be visible.
    const LEAST: f64 = 1.5;
    let drawn = bins.iter().map(|bin| {
        let right = place(bin.ends.1);
        let left = place(bin.ends.0).min(right - 2.0);
        (left, right - left, bin.count as f64 / (right - left))
    });
    let drawn: Vec<_> = drawn.collect();
    let most = drawn.iter().map(|bin| bin.2).fold(1e-9, f64::max);
    for (bin, (left, width, density)) in bins.iter().zip(drawn) {
        let height = ((density / most).sqrt() * (floor - top)).max(LEAST);
        let size = ((width - 0.8).max(0.8), height);
        svg::rect(out, fill, (left, floor - height), size, Some(&bin.title));
    }
}

/// Rows below each other, and lines of text that say what their signs mean.
pub fn rows(
    title: impl Into<String>,
    first: &str,
    x: &Axis,
    rows: &[Row],
    legend: &[String],
) -> Figure {
    let rows = &rows[..rows.len().min(MOST_ROWS)];
    let words = rows
        .iter()
        .map(|row| (row.name.as_str(), row.words.as_str()));
    let height = |row: &Row| {
        let lines = f64::from(u8::from(row.head.is_some())) * 1.5 + 1.0;
        lines * LINE + row.shape.height(rows.len()) + 14.0
    };
    let bottom: f64 = rows.iter().map(height).sum();
    let floor = bottom + x.height();
    let whole = floor + LINE * legend.len() as f64;
    Figure::draw(title, about(first, words), whole, |out| {
        x.columns(out, ALONG, (0.0, bottom));
        let mut y = 0.0;
        for row in rows {
            y += height(row);
            let top = y - row.shape.height(rows.len()) - 4.0;
            let above = top - 7.0;
            if let Some(head) = &row.head {
                let above = above - 1.3 * LINE;
                svg::label(out, (ALONG.0, above), "start", "machine", head);
            }
            svg::label(out, (ALONG.0, above), "start", "name", &row.name);
            svg::label(out, (ALONG.1, above), "end", "name", &row.note);
            let place = x.places(ALONG);
            row.shape.draw(out, place, row.colour, (top, y - 4.0));
        }
        for (index, line) in legend.iter().enumerate() {
            let y = floor + LINE * (index as f64 + 0.6);
            svg::label(out, (ALONG.0, y), "start", "name", line);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_round_numbers() {
        assert_eq!([1.0, 15.0, 16.9].map(step), [0.2, 5.0, 5.0]);
        let names = |most| {
            let axis = Axis::even(most);
            Vec::from_iter(axis.marks.into_iter().map(|mark| mark.1)).join(", ")
        };
        assert_eq!(
            names(2_900_000),
            "0, 500 µs, 1 ms, 1.5 ms, 2 ms, 2.5 ms, 3 ms"
        );
        assert_eq!(names(15_000_000), "0, 5 ms, 10 ms, 15 ms");
    }

    #[test]
    fn names_that_would_overlap_are_left_out() {
        let axis = Axis::of((0.0, 10.0), [5.0, 5.1, 9.0].map(|at| (at, at.to_string())));
        assert_eq!(axis.marks((0.0, 100.0), 20.0), [(50.0, "5"), (90.0, "9")]);
    }

    #[test]
    fn every_nine_is_as_wide_as_the_one_before() {
        let mut all = Distribution::default();
        all.histogram.counts_by_ns = vec![(7, 9), (5, 90), (9, 1)];
        let line = Line::percentiles("all", &all);
        let ends: Vec<_> = line.parts[0].iter().map(|point| point.1).collect();
        assert_eq!(ends, [5.0, 5.0, 7.0, 7.0, 9.0, 9.0]);
        assert!((line.parts[0][1].0 - 1.0).abs() < 1e-9 && (line.parts[0][3].0 - 2.0).abs() < 1e-9);
    }
}
