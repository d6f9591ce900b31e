//! What each value of a condition costs: a line per machine and method, and the same as a table.

use super::document::{Curve, Document, found};
use crate::measure::Row;
use punctual_data::chart::{self, Axis, Line};
use punctual_data::figure::Figure;
use punctual_data::markup::{Markup, table};
use punctual_data::quantity::{exact_nanos, nanos};
use punctual_lab::vary::Condition;
use punctual_windows::confidence::text as confidence;
use std::collections::BTreeSet;

/// Measurements that differ in their machines alone.
pub(super) struct Group<'a> {
    curves: Vec<&'a Curve>,
    condition: Condition,
}

/// A figure of a series by value. Lines that nobody could tell apart are one.
struct Drawn {
    names: Vec<String>,
    /// Values with the figure and the sign of its confidence.
    points: Vec<(u64, u64, &'static str)>,
}

/// Those that belong into one figure.
pub(super) fn groups(documents: &[Document]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group> = Vec::new();
    for curve in found!(documents, Varied) {
        let is_alike = |other: &Curve| {
            let key =
                |curve: &Curve| (curve.found.condition, curve.found.names, curve.is_simulated);
            key(other) == key(curve)
        };
        match groups.iter_mut().find(|group| is_alike(group.curves[0])) {
            Some(group) => group.curves.push(curve),
            None => groups.push(Group {
                curves: vec![curve],
                condition: curve.found.condition,
            }),
        }
    }
    groups
}

impl Group<'_> {
    pub(super) fn title(&self) -> String {
        format!("What {} costs", self.condition)
    }

    /// What all lines have in common.
    pub(super) fn setting(&self) -> String {
        match self.curves[..] {
            [curve] => curve.title.clone(),
            _ => String::new(),
        }
    }

    /// The figure, if anything was measured.
    pub(super) fn figure(&self) -> Option<Figure> {
        let drawn = self.lines();
        if drawn.is_empty() {
            return None;
        }
        let first = &self.curves[0].found;
        let of: BTreeSet<_> = self
            .curves
            .iter()
            .flat_map(|curve| curve.found.series())
            .collect();
        let of = Vec::from_iter(of).join(", ");
        let title = format!("The {} of {of} under {}", first.names[0], self.condition);
        let points = || drawn.iter().flat_map(|line| &line.points);
        // Slacks and their costs are drawn by decade, as both cover many.
        let axis = |values: &mut dyn Iterator<Item = u64>| match self.condition {
            Condition::Slack => Axis::decades(values),
            _ => Axis::even(values.max().unwrap_or(0)),
        };
        let x = axis(&mut points().map(|point| point.0));
        let y = axis(&mut points().map(|point| point.1));
        let lines = drawn.iter().map(Drawn::line);
        let lines: Vec<_> = lines.collect();
        Some(chart::lines(
            title,
            &x.named(self.condition.to_string()),
            &y,
            &lines,
        ))
    }

    pub(super) fn write(&self, out: &mut Markup, id: &str) {
        let Some(figure) = self.figure() else {
            out.leaf("p", &[], "Stopped before anything was measured.");
            return;
        };
        figure.write(out, id);
        let lines = self.lines();
        let names = lines.iter().map(|line| line.names.join(", "));
        let head: Vec<_> = [self.condition.name().to_owned()]
            .into_iter()
            .chain(names)
            .collect();
        let values: BTreeSet<_> = lines
            .iter()
            .flat_map(|line| &line.points)
            .map(|point| point.0)
            .collect();
        let rows = values.into_iter().map(|value| {
            let cells = lines.iter().map(|line| line.at(value));
            [exact_nanos(value)].into_iter().chain(cells).collect()
        });
        let rows: Vec<Vec<String>> = rows.collect();
        let legend = confidence::legend(self.rows().filter_map(|row| row.confidence.as_ref()));
        let caption = format!("{}. {}", self.curves[0].title, legend.join(". "));
        table(out, &caption, &head, &rows);
    }

    fn rows(&self) -> impl Iterator<Item = &Row> {
        self.curves.iter().flat_map(|curve| &curve.found.rows)
    }

    /// By machine, or of one machine the first figure and p99 of each series.
    fn lines(&self) -> Vec<Drawn> {
        let mut lines: Vec<Drawn> = Vec::new();
        let are_many = self.curves.len() > 1;
        let figures: &[usize] = if are_many { &[0] } else { &[0, 2] };
        for curve in &self.curves {
            for series in curve.found.series() {
                for &figure in figures {
                    let name = match are_many {
                        true => curve.machine.trim_start_matches("windows-").to_owned(),
                        false => format!("{series}, {}", curve.found.names[figure]),
                    };
                    let point = |row: &Row| {
                        let sign = confidence::sign(row.confidence.as_ref());
                        (row.value_ns, row.figures_ns[figure], sign)
                    };
                    let points: Vec<_> = curve.found.of_series(series).map(point).collect();
                    match lines
                        .iter_mut()
                        .find(|line| are_many && line.is_like(&points))
                    {
                        Some(line) => line.names.push(name),
                        None => lines.push(Drawn {
                            names: vec![name],
                            points,
                        }),
                    }
                }
            }
        }
        lines
    }
}

impl Drawn {
    /// The precision of a comparison: smaller differences are invisible in the figure.
    fn is_like(&self, points: &[(u64, u64, &str)]) -> bool {
        const INVISIBLE_NS: u64 = 20_000;
        let mut pairs = self.points.iter().zip(points);
        self.points.len() == points.len()
            && pairs.all(|(one, other)| one.0 == other.0 && one.1.abs_diff(other.1) < INVISIBLE_NS)
    }

    fn at(&self, value: u64) -> String {
        let found = self.points.iter().find(|point| point.0 == value);
        found.map_or("–".to_owned(), |(_, figure, sign)| {
            format!("{}{sign}", nanos(*figure))
        })
    }

    fn line(&self) -> Line {
        let points = self.points.iter();
        let points = points.map(|point| (point.0 as f64, point.1 as f64));
        let words = self.points.iter();
        let words = words.map(|point| format!("{}: {}", exact_nanos(point.0), nanos(point.1)));
        let words = Vec::from_iter(words).join(", ");
        Line::through(self.names.join(", "), points).said(words)
    }
}
