//! The sweep's curve, "The Great Rule Change": how another process's request affects ours.

use crate::show::confidence;
use punctual_data::figure::Figure;
use punctual_data::markup::{Attributes, Markup, table};
use punctual_data::scale::Scale;
use punctual_data::svg::{self, At, End, LEFT, LINE, MOST_LINES, PLOT_RIGHT};
use punctual_lab::sweep::{MachineSweep, Row, SweepRecording};

const TOP: f64 = 12.0;
const BOTTOM: f64 = 320.0;
const NANOS_PER_MS: f64 = 1e6;

/// Machines with equal means share one line.
struct Group<'a> {
    names: Vec<&'a str>,
    rows: &'a [Row],
}

/// The figure alone.
pub(super) fn figure(sweep: &SweepRecording) -> Figure {
    let groups = groups(&sweep.machines);
    let drawn = &groups[..groups.len().min(MOST_LINES)];
    let asks = sweep.question.by.to_string();
    let title = format!("Mean of Sleep(1) on Windows, by the interval that {asks} requests");
    let words: Vec<_> = groups.iter().map(in_words).collect();
    let about = words.join("; ") + ".";
    Figure::draw(title, about, BOTTOM + 2.5 * LINE, |out| {
        draw(out, drawn, &asks);
    })
}

/// Writes the figure and its table.
pub(super) fn write(out: &mut Markup, id: &str, sweep: &SweepRecording) {
    figure(sweep).write(out, id);
    means(out, sweep);
}

fn in_words(group: &Group) -> String {
    let means = group.rows.iter().map(|row| {
        let [asked, mean] = [row.requested_ns, row.sleep_1.mean_ns].map(ms);
        format!("{asked} ms: {mean:.1} ms")
    });
    let means: Vec<_> = means.collect();
    format!(
        "{}, by request: {}",
        group.names.join(", "),
        means.join(", ")
    )
}

fn ms(nanos: u64) -> f64 {
    nanos as f64 / NANOS_PER_MS
}

fn groups(machines: &[MachineSweep]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group> = Vec::new();
    for machine in machines.iter().filter(|machine| !machine.rows.is_empty()) {
        let name = machine.machine.trim_start_matches("windows-");
        match groups
            .iter_mut()
            .find(|group| same(group.rows, &machine.rows))
        {
            Some(group) => group.names.push(name),
            None => groups.push(Group {
                names: vec![name],
                rows: &machine.rows,
            }),
        }
    }
    groups
}

/// The precision of a comparison: smaller differences are invisible in the figure.
fn same(one: &[Row], other: &[Row]) -> bool {
    const INVISIBLE_NS: u64 = 20_000;
    let is_same = |(one, other): (&Row, &Row)| {
        let apart = one.sleep_1.mean_ns.abs_diff(other.sleep_1.mean_ns);
        one.requested_ns == other.requested_ns && apart < INVISIBLE_NS
    };
    one.len() == other.len() && one.iter().zip(other).all(is_same)
}

fn draw(out: &mut Markup, groups: &[Group], asks: &str) {
    let rows = || groups.iter().flat_map(|group| group.rows);
    let most_ms = |of: fn(&Row) -> u64| {
        let most = rows().map(of).max().unwrap_or(0);
        (ms(most)).max(1.0)
    };
    let (widest, highest) = (
        most_ms(|row| row.requested_ns),
        most_ms(|row| row.sleep_1.mean_ns),
    );
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
        svg::label(
            out,
            (x.place(mark), BOTTOM + LINE),
            "middle",
            "axis",
            &mark.to_string(),
        );
    }
    let middle = f64::midpoint(LEFT, PLOT_RIGHT);
    let below = (middle, BOTTOM + 2.1 * LINE);
    svg::label(
        out,
        below,
        "middle",
        "axis",
        &format!("requested by {asks}, ms"),
    );
    lines(out, groups, &x, &y);
}

fn lines(out: &mut Markup, groups: &[Group], x: &Scale, y: &Scale) {
    let names: Vec<_> = groups.iter().map(|group| group.names.join(", ")).collect();
    let mut ends = Vec::new();
    for (number, (group, name)) in groups.iter().zip(&names).enumerate() {
        let place = |row: &Row| {
            let [asked, mean] = [row.requested_ns, row.sleep_1.mean_ns].map(ms);
            (x.place(asked), y.place(mean))
        };
        let points: Vec<_> = group.rows.iter().map(place).collect();
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

/// A round number that divides a range into a handful of parts.
pub(super) fn step(range: f64) -> f64 {
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

fn means(out: &mut Markup, sweep: &SweepRecording) {
    let names = sweep
        .machines
        .iter()
        .map(|machine| machine.machine.as_str());
    let head: Vec<_> = ["requested"].into_iter().chain(names).collect();
    let cell = |row: Option<&Row>| match row {
        None => "–".to_owned(),
        Some(row) => {
            let sign = confidence::sign(row.confidence.as_ref());
            format!("{:.2} ms{sign}", ms(row.sleep_1.mean_ns))
        }
    };
    let most = sweep
        .machines
        .iter()
        .map(|machine| machine.rows.len())
        .max();
    let row = |index: usize| {
        let rows = sweep.machines.iter().map(|machine| machine.rows.get(index));
        let asked = rows
            .clone()
            .flatten()
            .next()
            .map_or(0, |row| row.requested_ns);
        let asked = format!("{} ms", ms(asked));
        [asked].into_iter().chain(rows.map(cell)).collect()
    };
    let rows: Vec<_> = (0..most.unwrap_or(0)).map(row).collect();
    let rows_of_all = sweep.machines.iter().flat_map(|machine| &machine.rows);
    let legend = confidence::legend(rows_of_all.filter_map(|row| row.confidence.as_ref()));
    let caption = format!("Mean of Sleep(1). {}", legend.join(". "));
    table(out, &caption, &head, &rows);
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
