//! What each value of a condition costs: a line per machine and method, and the same as a table.

use super::document::{Curve, Document, found};
use crate::measure::Row;
use crate::show::confidence;
use punctual_data::figure::Figure;
use punctual_data::markup::{Attributes, Markup, table};
use punctual_data::quantity::{exact_nanos, nanos};
use punctual_data::scale::{self, Scale};
use punctual_data::svg::{self, At, End, LEFT, LINE, MOST_LINES, PLOT_RIGHT};
use punctual_lab::vary::Condition;
use std::collections::BTreeSet;

const TOP: f64 = 12.0;
const BOTTOM: f64 = 320.0;
const NANOS_PER_MS: f64 = 1e6;

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
        let all = self.lines();
        let lines = &all[..all.len().min(MOST_LINES)];
        if lines.is_empty() {
            return None;
        }
        let first = &self.curves[0].found;
        let of: BTreeSet<_> = self
            .curves
            .iter()
            .flat_map(|curve| curve.found.series())
            .collect();
        let of = Vec::from_iter(of).join(", ");
        let title = format!("{} of {of} under {}", first.names[0], self.condition);
        let words: Vec<_> = lines.iter().map(Drawn::in_words).collect();
        let about = words.join("; ") + ".";
        Some(Figure::draw(title, about, BOTTOM + 2.5 * LINE, |out| {
            self.draw(out, lines);
        }))
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
        let head: Vec<_> = head.iter().map(String::as_str).collect();
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

    /// Slacks and their costs are drawn by decade, as both cover many.
    fn draw(&self, out: &mut Markup, lines: &[Drawn]) {
        let points = || lines.iter().flat_map(|line| &line.points);
        let below = (f64::midpoint(LEFT, PLOT_RIGHT), BOTTOM + 2.1 * LINE);
        let name = self.condition.to_string();
        if self.condition == Condition::Slack {
            let across = scale::decades(points().map(|point| point.0));
            let up = scale::decades(points().map(|point| point.1));
            let x = Scale::of_decades(&across, (LEFT, PLOT_RIGHT));
            let y = Scale::of_decades(&up, (BOTTOM, TOP));
            svg::decade_rows(out, &up, &y, PLOT_RIGHT);
            svg::decade_columns(out, &across, &x, (TOP, BOTTOM));
            svg::label(out, below, "middle", "axis", &name);
            return draw_lines(
                out,
                lines,
                |value| x.place(scale::log(value)),
                |figure| y.place(scale::log(figure)),
            );
        }
        let most = |values: &mut dyn Iterator<Item = u64>| ms(values.max().unwrap_or(0)).max(1.0);
        let widest = most(&mut points().map(|point| point.0));
        let highest = most(&mut points().map(|point| point.1));
        let step = step(highest);
        let x = Scale {
            values: (0.0, widest),
            places: (LEFT, PLOT_RIGHT),
        };
        let y = Scale {
            values: (0.0, (highest / step).ceil() * step),
            places: (BOTTOM, TOP),
        };
        for mark in marks(y.values.1, step) {
            let at = y.place(mark);
            svg::rule(out, "grid", (LEFT, at), (PLOT_RIGHT, at));
            svg::label(
                out,
                (LEFT - 6.0, at + 4.0),
                "end",
                "axis",
                &format!("{mark} ms"),
            );
        }
        for mark in marks(widest, self::step(widest)) {
            let at = (x.place(mark), BOTTOM + LINE);
            svg::label(out, at, "middle", "axis", &mark.to_string());
        }
        svg::label(out, below, "middle", "axis", &format!("{name}, ms"));
        draw_lines(
            out,
            lines,
            |value| x.place(ms(value)),
            |figure| y.place(ms(figure)),
        );
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

    fn in_words(&self) -> String {
        let points = self.points.iter();
        let points = points.map(|point| format!("{}: {}", exact_nanos(point.0), nanos(point.1)));
        format!(
            "{}, by value: {}",
            self.names.join(", "),
            Vec::from_iter(points).join(", ")
        )
    }
}

fn draw_lines(
    out: &mut Markup,
    lines: &[Drawn],
    across: impl Fn(u64) -> f64,
    up: impl Fn(u64) -> f64,
) {
    let names: Vec<_> = lines.iter().map(|line| line.names.join(", ")).collect();
    let mut ends = Vec::new();
    for (number, (line, name)) in lines.iter().zip(&names).enumerate() {
        let place = |point: &(u64, u64, &str)| (across(point.0), up(point.1));
        let points: Vec<_> = line.points.iter().map(place).collect();
        svg::line(out, number, &points, name);
        for &(across, height) in &points {
            let attributes: Attributes = &[
                ("class", &svg::filled(number)),
                ("cx", &At(across)),
                ("cy", &At(height)),
                ("r", &3.5),
            ];
            out.empty("circle", attributes);
        }
        if let Some(&at) = points.last() {
            ends.push(End { at, number, name });
        }
    }
    svg::end_labels(out, &ends, BOTTOM);
}

fn ms(nanos: u64) -> f64 {
    nanos as f64 / NANOS_PER_MS
}

/// A round number that divides a range into a handful of parts.
fn step(range: f64) -> f64 {
    let decade = 10_f64.powf(range.max(1e-9).log10().floor());
    let fits = |step: &f64| range / step <= 6.0;
    let steps = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0].map(|digit| digit * decade);
    steps.into_iter().find(fits).unwrap_or(decade)
}

fn marks(to: f64, step: f64) -> impl Iterator<Item = f64> {
    let mark = move |number: u32| (f64::from(number) * step * 1e6).round() / 1e6;
    (0..100)
        .map(mark)
        .take_while(move |mark| *mark <= to + step / 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_round_numbers() {
        assert_eq!([1.0, 15.0, 16.9, 0.0].map(step)[..3], [0.2, 5.0, 5.0]);
        assert_eq!(marks(0.3, 0.1).collect::<Vec<_>>(), [0.0, 0.1, 0.2, 0.3]);
    }
}
