//! Lateness by percentile, as HdrHistogram's plotters draw it: every nine is as wide as the one
//! before, so the rarest wake-ups have as much room as all others.

use punctual_data::distribution::Distribution;
use punctual_data::figure::Figure;
use punctual_data::markup::{Markup, table};
use punctual_data::quantity::{nanos, percent_in_words};
use punctual_data::scale::{self, Scale};
use punctual_data::svg::{self, End, LEFT, LINE, MOST_LINES, PLOT_RIGHT};
use punctual_lab::measure::SeriesRecord;

/// The minimum width of the axis: two nines.
const LEAST_NINES: f64 = 2.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 330.0;

/// The figure alone.
pub(super) fn figure(series: &[&SeriesRecord]) -> Figure {
    let drawn = &series[..series.len().min(MOST_LINES)];
    let title = "Lateness by percentile, with missed deadlines";
    Figure::draw(title, description(series), BOTTOM + 2.5 * LINE, |out| {
        draw(out, drawn);
    })
}

/// Writes the figure and the figures in it as a table.
pub(super) fn write(out: &mut Markup, id: &str, series: &[&SeriesRecord]) {
    figure(series).write(out, id);
    let rows: Vec<_> = series.iter().map(|series| row(series)).collect();
    let head = [
        "method",
        "p50",
        "p90",
        "p99",
        "p99.9",
        "max",
        "early",
        "missed",
        "processor",
    ];
    table(
        out,
        "Lateness per deadline, with missed deadlines",
        &head,
        &rows,
    );
}

fn row(series: &SeriesRecord) -> Vec<String> {
    let late = &series.per_deadline;
    let mut row = vec![series.method.clone()];
    row.extend(late.shown());
    row.extend([series.early, series.missed].map(|count| count.to_string()));
    row.push(percent_in_words(series.processor_share));
    row
}

/// Every series in words.
pub(super) fn description(series: &[&SeriesRecord]) -> String {
    let one = |series: &&SeriesRecord| {
        let late = &series.per_deadline;
        let [p50, p99, max] = [late.p50_ns, late.p99_ns, late.max_ns].map(nanos);
        format!(
            "{}: median {p50}, 99th percentile {p99}, longest {max}",
            series.method
        )
    };
    series.iter().map(one).collect::<Vec<_>>().join("; ") + "."
}

fn draw(out: &mut Markup, series: &[&SeriesRecord]) {
    let most = series
        .iter()
        .map(|series| series.per_deadline.count())
        .max();
    let nines = (most.unwrap_or(1).max(1) as f64).log10().max(LEAST_NINES);
    let occurring = series.iter().flat_map(|series| {
        let counts = &series.per_deadline.histogram.counts_by_ns;
        counts.iter().map(|&(value, _)| value)
    });
    let decades = scale::decades(occurring);
    let x = Scale {
        values: (0.0, nines),
        places: (LEFT, PLOT_RIGHT),
    };
    let y = Scale::of_decades(&decades, (BOTTOM, TOP));
    svg::decade_rows(out, &decades, &y, PLOT_RIGHT);
    percentiles(out, &x, nines);
    let mut ends = Vec::new();
    for (number, series) in series.iter().enumerate() {
        let points = svg::thinned(points(&series.per_deadline, &x, &y).into_iter());
        svg::line(out, number, &points, &series.method);
        if let Some(&at) = points.last() {
            ends.push(End {
                at,
                number,
                name: &series.method,
            });
        }
    }
    svg::end_labels(out, &ends, BOTTOM);
}

fn percentiles(out: &mut Markup, x: &Scale, nines: f64) {
    let names = [
        "0", "90 %", "99 %", "99.9 %", "99.99 %", "99.999 %", "6 nines", "7 nines", "8 nines",
    ];
    for (at, name) in (0_u32..).zip(names) {
        let place = x.place(f64::from(at));
        if f64::from(at) > nines {
            break;
        }
        // If names are wide and many, every second one is left out.
        let is_crowded = nines > 5.0 && at % 2 == 1;
        svg::rule(out, "grid", (place, TOP), (place, BOTTOM));
        if !is_crowded {
            svg::label(out, (place, BOTTOM + LINE), "middle", "axis", name);
        }
    }
    let middle = f64::midpoint(LEFT, PLOT_RIGHT);
    let below = BOTTOM + 2.1 * LINE;
    svg::label(
        out,
        (middle, below),
        "middle",
        "axis",
        "share of deadlines served within",
    );
}

/// Each value covers the shares from those before it to those up to it. The last would end at
/// infinity, so it ends where the last value begins.
fn points(summary: &Distribution, x: &Scale, y: &Scale) -> Vec<(f64, f64)> {
    let all = summary.count() as f64;
    let end = all.max(1.0).log10();
    let mut counts = summary.histogram.counts_by_ns.clone();
    counts.sort_unstable();
    let mut points = Vec::with_capacity(2 * counts.len());
    let mut before = 0.0;
    for (value, count) in counts {
        let place = |seen: f64| x.place((all / (all - seen).max(1.0)).log10().min(end));
        let height = y.place(scale::log(value));
        points.push((place(before), height));
        before += count as f64;
        points.push((place(before), height));
    }
    points
}
