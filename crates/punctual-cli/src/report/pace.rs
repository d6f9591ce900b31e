//! Pace over time: how far the average interval of each window is from the requested period.

use super::drift;
use crate::show::drift::Drift;
use punctual_data::figure::Figure;
use punctual_data::markup::{Markup, table};
use punctual_data::quantity::{
    self, average_interval, nanos, percent_in_words, period_ns, rounded,
};
use punctual_data::scale::Scale;
use punctual_data::svg::{self, End, LEFT, LINE, MOST_LINES, PLOT_RIGHT};
use punctual_lab::pace::{PaceRecord, PaceRecording};

const TOP: f64 = 12.0;
const BOTTOM: f64 = 320.0;

/// The figure alone, if there are at least two windows of time: a quick run has fewer.
pub(super) fn figure(pace: &PaceRecording) -> Option<Figure> {
    let is_line = |way: &PaceRecord| way.stretches.len() > 1;
    pace.series.iter().any(is_line).then(|| over_time(pace))
}

fn over_time(pace: &PaceRecording) -> Figure {
    let drawn = &pace.series[..pace.series.len().min(MOST_LINES)];
    let title = format!(
        "Average interval over time; {:.3} ms was requested",
        period_ns(pace.question.schedule.period) / 1e6
    );
    let about = drift::description(drawn, period_ns(pace.question.schedule.period));
    Figure::draw(title, about, BOTTOM + 2.5 * LINE, |out| {
        draw(out, period_ns(pace.question.schedule.period), drawn);
    })
}

/// Shown instead of a picture.
const TOO_SHORT: &str = "Each way ran for less than two seconds. That is too short to show whether its \
                         interval changes over time; the table has the average of each.";

/// The machine and the question.
pub(super) fn setting(pace: &PaceRecording) -> String {
    let asked = &pace.question;
    let machine = machine(pace);
    let period = average_interval(period_ns(asked.schedule.period));
    let duration = nanos(pace.plan.duration_ns);
    let mut setting = format!("{machine}, a loop of {period}, {duration} for each way");
    if !asked.schedule.work.is_zero() {
        let work = quantity::show(asked.schedule.work);
        setting += &format!(", {work} of work");
    }
    for who in &asked.conditions.with {
        setting += &format!(", with {who}");
    }
    setting
}

/// The machine on which the beat was kept.
pub(super) fn machine(pace: &PaceRecording) -> String {
    match (&pace.question.on, &pace.environment.system) {
        (Some(simulated), _) => format!("{}, simulated", simulated.machine),
        (None, Some(system)) => system.clone(),
        (None, None) => "an unnamed machine".to_owned(),
    }
}

/// Writes both figures and their table.
pub(super) fn write(out: &mut Markup, id: &str, pace: &PaceRecording) {
    out.leaf("h3", &[], setting(pace));
    drift::figure(pace).write(out, &format!("{id}-drift"));
    match figure(pace) {
        Some(figure) => figure.write(out, id),
        None => out.leaf("p", &[], TOO_SHORT),
    }
    let rows: Vec<_> = pace
        .series
        .iter()
        .map(|way| row(way, period_ns(pace.question.schedule.period)))
        .collect();
    let head = [
        "way",
        "average",
        "error",
        "per day",
        "jitter",
        "missed",
        "beats",
        "processor",
    ];
    table(out, "The pace of each way", &head, &rows);
}

fn row(way: &PaceRecord, asked_ns: f64) -> Vec<String> {
    let or_none = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
    vec![
        way.way.clone(),
        or_none(
            way.average_ns
                .map(|average| format!("{:.6} ms", average / 1e6)),
        ),
        or_none(way.error_ppm.map(|error| format!("{error:+.1} ppm"))),
        Drift::of(way, asked_ns).text(),
        nanos(rounded(way.jitter_ns)),
        way.missed.to_string(),
        way.beats.to_string(),
        percent_in_words(way.processor_share),
    ]
}

/// The smallest range of the axis, as a share of the period: smaller deviations do not matter.
const LEAST_RANGE: f64 = 1e-3;

fn draw(out: &mut Markup, period_ns: f64, ways: &[PaceRecord]) {
    let averages = || {
        ways.iter()
            .flat_map(|way| &way.stretches)
            .map(|it| it.average_ns)
    };
    let least = averages().fold(period_ns * (1.0 - LEAST_RANGE), f64::min);
    let most = averages().fold(period_ns * (1.0 + LEAST_RANGE), f64::max);
    let elapsed = |way: &PaceRecord| {
        way.stretches
            .iter()
            .map(|it| it.elapsed_ns as f64)
            .sum::<f64>()
    };
    let longest = ways.iter().map(elapsed).fold(1.0, f64::max);
    let x = Scale {
        values: (0.0, longest),
        places: (LEFT, PLOT_RIGHT),
    };
    let y = Scale {
        values: (least, most.max(least + 1.0)),
        places: (BOTTOM, TOP),
    };
    // The requested period has a label; a label that would overlap it is left out.
    let asked = y.place(period_ns);
    for mark in [period_ns, least, most] {
        let at = y.place(mark);
        if mark.to_bits() != period_ns.to_bits() && (at - asked).abs() < LINE {
            continue;
        }
        svg::rule(out, "grid", (LEFT, at), (PLOT_RIGHT, at));
        let name = format!("{:.3}", mark / 1e6);
        svg::label(out, (LEFT - 6.0, at + 4.0), "end", "axis", &name);
    }
    for share in [0.0, 0.5, 1.0] {
        let at = (x.place(longest * share), BOTTOM + LINE);
        svg::label(out, at, "middle", "axis", &nanos(rounded(longest * share)));
    }
    let below = (f64::midpoint(LEFT, PLOT_RIGHT), BOTTOM + 2.1 * LINE);
    svg::label(
        out,
        below,
        "middle",
        "axis",
        "average interval in ms, over time",
    );
    lines(out, ways, &x, &y);
}

fn lines(out: &mut Markup, ways: &[PaceRecord], x: &Scale, y: &Scale) {
    let mut ends = Vec::new();
    for (number, way) in ways.iter().enumerate() {
        let mut passed = 0.0;
        let points = way.stretches.iter().flat_map(|stretch| {
            let from = x.place(passed);
            passed += stretch.elapsed_ns as f64;
            let height = y.place(stretch.average_ns);
            [(from, height), (x.place(passed), height)]
        });
        let points = svg::thinned(points);
        svg::line(out, number, &points, &way.way);
        if let Some(&at) = points.last() {
            ends.push(End {
                at,
                number,
                name: way.way.as_str(),
            });
        }
    }
    svg::end_labels(out, &ends, BOTTOM);
}
