//! The picture of drift: how far a clock that counts the beats of each way would be off after a day.

use crate::show::drift::Drift;
use punctual_data::figure::Figure;
use punctual_data::markup::Markup;
use punctual_data::quantity::{average_interval, period_ns};
use punctual_data::scale::{self, Scale};
use punctual_data::svg::{self, LINE, MOST_LINES};
use punctual_lab::pace::{PaceRecord, PaceRecording};

const LEFT: f64 = 32.0;
const RIGHT: f64 = svg::WIDTH - 40.0;
const ROW: f64 = 46.0;
const THICK: f64 = 10.0;

/// The figure.
pub(super) fn figure(pace: &PaceRecording) -> Figure {
    let asked = period_ns(pace.question.schedule.period);
    let ways = &pace.series[..pace.series.len().min(MOST_LINES)];
    let drifts: Vec<_> = ways.iter().map(|way| Drift::of(way, asked)).collect();
    let bottom = ROW * ways.len() as f64;
    let decades = scale::decades(drifts.iter().map(Drift::nanos));
    let x = Scale::of_decades(&decades, (LEFT, RIGHT));
    let title = format!("Drift per day, for beats of {}", average_interval(asked));
    Figure::draw(
        title,
        description(ways, asked),
        bottom + 1.6 * LINE,
        |out| {
            svg::decade_columns(out, &decades, &x, (0.0, bottom));
            for (number, (way, drift)) in ways.iter().zip(&drifts).enumerate() {
                row(out, way, drift, &x, ROW * (number + 1) as f64);
            }
        },
    )
}

/// Every way in words.
pub(super) fn description(ways: &[PaceRecord], asked_ns: f64) -> String {
    let words = ways.iter().map(|way| {
        let off = Drift::of(way, asked_ns).text();
        format!("{}: {off} a day", named(way))
    });
    words.collect::<Vec<_>>().join("; ") + "."
}

fn named(way: &PaceRecord) -> String {
    let average = way.average_ns.map(average_interval);
    format!("{}: {}", way.way, average.unwrap_or_default())
}

/// Above the bar: the way and its average interval, and the drift in a day.
fn row(out: &mut Markup, way: &PaceRecord, drift: &Drift, x: &Scale, floor: f64) {
    let above = floor - THICK - 9.0;
    svg::label(out, (LEFT, above), "start", "name", &named(way));
    svg::label(out, (RIGHT, above), "end", "name", &drift.text());
    let class = match drift {
        Drift::Seconds(_) => svg::filled(0),
        Drift::Within(_) => "outline c0".to_owned(),
        Drift::Unknown => return,
    };
    let to = x.place(scale::log(drift.nanos()));
    let (at, length) = ((LEFT, floor - THICK - 3.0), (to - LEFT).max(1.0));
    svg::rect(out, &class, at, (length, THICK), None);
}
