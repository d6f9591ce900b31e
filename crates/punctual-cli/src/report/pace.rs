//! The pace of loops: how far a clock that counts their beats would be off after a day, and how far the average interval of
//! each stretch of time is from the requested period.

use crate::show::drift::Drift;
use punctual_data::chart::{self, Axis, Line, Row, Shape};
use punctual_data::figure::Figure;
use punctual_data::markup::{Markup, table};
use punctual_data::quantity::{
    self, average_interval, nanos, percent_in_words, period_ns, rounded,
};
use punctual_lab::pace::{PaceRecord, PaceRecording};

/// How far each way is off after a day.
pub(super) fn drift(pace: &PaceRecording) -> Figure {
    let asked = period_ns(pace.question.schedule.period);
    let drifts = pace.series.iter().map(|way| (way, Drift::of(way, asked)));
    let drifts: Vec<_> = drifts.collect();
    let rows = drifts.iter().map(|(way, drift)| {
        let average = way.average_ns.map(average_interval);
        Row {
            head: None,
            name: format!("{}: {}", way.way, average.unwrap_or_default()),
            note: drift.text(),
            words: format!("{} a day", drift.text()),
            colour: 0,
            shape: match drift {
                Drift::Unknown => Shape::Nothing,
                Drift::Seconds(_) | Drift::Within(_) => Shape::Length {
                    nanos: drift.nanos(),
                    is_bound: matches!(drift, Drift::Within(_)),
                },
            },
        }
    });
    chart::rows(
        format!("Drift per day, for beats of {}", average_interval(asked)),
        "",
        &Axis::decades(drifts.iter().map(|(_, drift)| drift.nanos())),
        &Vec::from_iter(rows),
        &[],
    )
}

/// The pace over time, if there are at least two stretches of time: a quick run has fewer.
pub(super) fn figure(pace: &PaceRecording) -> Option<Figure> {
    let is_line = |way: &PaceRecord| way.stretches.len() > 1;
    pace.series.iter().any(is_line).then(|| over_time(pace))
}

/// The smallest range of the axis, as a share of the period: smaller deviations do not matter.
const LEAST_RANGE: f64 = 1e-3;

fn over_time(pace: &PaceRecording) -> Figure {
    let asked = period_ns(pace.question.schedule.period);
    let averages = || {
        let stretches = pace.series.iter().flat_map(|way| &way.stretches);
        stretches.map(|stretch| stretch.average_ns)
    };
    let least = averages().fold(asked * (1.0 - LEAST_RANGE), f64::min);
    let most = averages().fold(asked * (1.0 + LEAST_RANGE), f64::max);
    let mut longest = 1.0_f64;
    let lines = pace.series.iter().map(|way| {
        let mut passed = 0.0;
        let steps = way.stretches.iter().map(|stretch| {
            passed += stretch.elapsed_ns as f64;
            longest = longest.max(passed);
            (passed, stretch.average_ns)
        });
        let line = Line::steps(&way.way, steps);
        line.said(format!("{} a day", Drift::of(way, asked).text()))
    });
    let lines: Vec<_> = lines.collect();
    let times = [0.0, 0.5, 1.0].map(|share| longest * share);
    let x = Axis::of((0.0, longest), times.map(|at| (at, nanos(rounded(at)))));
    let marks = [asked, least, most].map(|mark| (mark, format!("{:.3}", mark / 1e6)));
    let y = Axis::of((least, most.max(least + 1.0)), marks);
    let title = format!(
        "Average interval over time; {:.3} ms was requested",
        asked / 1e6
    );
    chart::lines(
        title,
        &x.named("average interval in ms, over time"),
        &y,
        &lines,
    )
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
    drift(pace).write(out, &format!("{id}-drift"));
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
