//! The sweep on Linux: how timer slack affects sleeps.

use punctual_data::distribution::Distribution;
use punctual_data::figure::Figure;
use punctual_data::markup::{Markup, table};
use punctual_data::quantity::nanos;
use punctual_data::scale::{self, Scale};
use punctual_data::svg::{self, End, LEFT, LINE, PLOT_RIGHT};
use punctual_lab::slack::{Row, SlackSweep};

const TOP: f64 = 12.0;
const BOTTOM: f64 = 320.0;

/// What a line shows of a row: a call, and a statistic of its sleeps.
struct Line {
    name: &'static str,
    took: fn(&Row) -> u64,
}

const LINES: [Line; 4] = [
    Line {
        name: "nanosleep, p50",
        took: |row| row.nanosleep.p50_ns,
    },
    Line {
        name: "until instant, p50",
        took: |row| row.clock_nanosleep.p50_ns,
    },
    Line {
        name: "nanosleep, p99",
        took: |row| row.nanosleep.p99_ns,
    },
    Line {
        name: "until instant, p99",
        took: |row| row.clock_nanosleep.p99_ns,
    },
];

/// The figure alone, if anything was measured.
pub(super) fn figure(sweep: &SlackSweep) -> Option<Figure> {
    let rows = measured(sweep);
    if rows.is_empty() {
        return None;
    }
    let title = format!(
        "Lateness of sleeps of {}, by timer slack",
        nanos(sweep.sleep_ns)
    );
    let late = |row: &&Row| {
        let [relative, absolute] = [&row.nanosleep, &row.clock_nanosleep];
        let [relative, absolute] = [relative, absolute].map(|took| late(took.p50_ns, sweep));
        format!(
            "slack {}: nanosleep {}, clock_nanosleep until an instant {}",
            nanos(row.slack_ns),
            nanos(relative),
            nanos(absolute)
        )
    };
    let words: Vec<_> = rows.iter().map(late).collect();
    let about = format!("Medians. {}.", words.join("; "));
    Some(Figure::draw(title, about, BOTTOM + 2.5 * LINE, |out| {
        draw(out, &rows, sweep);
    }))
}

/// Writes the figure and its table.
pub(super) fn write(out: &mut Markup, id: &str, sweep: &SlackSweep) {
    let Some(figure) = figure(sweep) else {
        out.leaf("p", &[], "Stopped before anything was measured.");
        return;
    };
    figure.write(out, id);
    let cells = |took: &Distribution| [took.p50_ns, took.p99_ns, took.max_ns].map(nanos);
    let row = |row: &&Row| {
        let mut line = vec![nanos(row.slack_ns)];
        line.extend(cells(&row.nanosleep));
        line.extend(cells(&row.clock_nanosleep));
        line
    };
    let rows: Vec<_> = measured(sweep).iter().map(row).collect();
    let head = [
        "slack",
        "nanosleep p50",
        "p99",
        "max",
        "clock_nanosleep p50",
        "p99",
        "max",
    ];
    table(out, "How long each sleep took", &head, &rows);
}

fn measured(sweep: &SlackSweep) -> Vec<&Row> {
    let has_data = |row: &&Row| !row.nanosleep.histogram.counts_by_ns.is_empty();
    sweep.rows.iter().filter(has_data).collect()
}

fn late(took_ns: u64, sweep: &SlackSweep) -> u64 {
    took_ns.saturating_sub(sweep.sleep_ns)
}

fn draw(out: &mut Markup, rows: &[&Row], sweep: &SlackSweep) {
    let across = scale::decades(rows.iter().map(|row| row.slack_ns));
    let lines = || LINES.iter().map(|line| line.took);
    let latenesses = lines().flat_map(|took| rows.iter().map(move |row| late(took(row), sweep)));
    let up = scale::decades(latenesses);
    let x = Scale::of_decades(&across, (LEFT, PLOT_RIGHT));
    let y = Scale::of_decades(&up, (BOTTOM, TOP));
    svg::decade_rows(out, &up, &y, PLOT_RIGHT);
    svg::decade_columns(out, &across, &x, (TOP, BOTTOM));
    let below = (f64::midpoint(LEFT, PLOT_RIGHT), BOTTOM + 2.1 * LINE);
    svg::label(out, below, "middle", "axis", "timer slack of the thread");
    let mut ends = Vec::new();
    for (number, line) in LINES.iter().enumerate() {
        let place = |row: &&Row| {
            let height = y.place(scale::log(late((line.took)(row), sweep)));
            (x.place(scale::log(row.slack_ns)), height)
        };
        let points: Vec<_> = rows.iter().map(place).collect();
        svg::line(out, number, &points, line.name);
        if let Some(&at) = points.last() {
            ends.push(End {
                at,
                number,
                name: line.name,
            });
        }
    }
    svg::end_labels(out, &ends, BOTTOM);
}
