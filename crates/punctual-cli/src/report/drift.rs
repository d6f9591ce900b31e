//! What is lost by counting beats: for each way of keeping one, how far a clock that counts its beats
//! would be off after a day.

use super::document::{Pace, PaceWay};
use super::figure::Figure;
use super::markup::{Attributes, Markup};
use super::svg::{self, At, LINE, MOST_LINES, Scale};
use crate::show::{average_interval, signed_seconds};

const LEFT: f64 = 32.0;
/// Room for what is written behind the longest bar.
const RIGHT: f64 = svg::WIDTH - 124.0;
const ROW: f64 = 46.0;
const THICK: f64 = 10.0;

/// The figure.
pub(super) fn figure(pace: &Pace) -> Figure {
    let ways = &pace.ways[..pace.ways.len().min(MOST_LINES)];
    let bottom = ROW * ways.len() as f64;
    let decades = svg::decades(ways.iter().map(nanos_a_day));
    let x = Scale {
        values: (f64::from(*decades.start()), f64::from(*decades.end())),
        places: (LEFT, RIGHT),
    };
    let asked = average_interval(pace.asked.period_ns);
    let title = format!("{asked} asked for: how far off it is after a day");
    Figure::draw(title, description(ways), bottom + 1.6 * LINE, |out| {
        svg::decade_columns(out, &decades, &x, (0.0, bottom));
        for (number, way) in ways.iter().enumerate() {
            row(out, way, &x, ROW * (number + 1) as f64);
        }
    })
}

/// Every way in words.
pub(super) fn description(ways: &[PaceWay]) -> String {
    let words: Vec<_> = ways.iter().map(in_words).collect();
    words.join("; ") + "."
}

fn in_words(way: &PaceWay) -> String {
    match (way.average_ns, way.error_s_per_day) {
        (Some(average), Some(seconds)) => format!(
            "{}: {} on average, {} a day",
            way.way,
            average_interval(average),
            signed_seconds(seconds)
        ),
        _ => format!("{}: too few beats", way.way),
    }
}

/// Above the bar whose it is and its average interval, behind it what that makes in a day.
fn row(out: &mut Markup, way: &PaceWay, x: &Scale, floor: f64) {
    let average = way.average_ns.map(average_interval).unwrap_or_default();
    let name = format!("{}: {average}", way.way);
    svg::label(out, (LEFT, floor - THICK - 9.0), "start", "name", &name);
    let to = x.place(svg::log(nanos_a_day(way)));
    let bar: Attributes = &[
        ("class", &svg::filled(0)),
        ("x", &At(LEFT)),
        ("y", &At(floor - THICK - 3.0)),
        ("width", &At((to - LEFT).max(1.0))),
        ("height", &At(THICK)),
    ];
    out.empty("rect", bar);
    let error = way.error_s_per_day.map(signed_seconds).unwrap_or_default();
    svg::label(out, (to + 8.0, floor - 2.0), "start", "name", &error);
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a day has fewer nanoseconds than 64 bits hold"
)]
fn nanos_a_day(way: &PaceWay) -> u64 {
    (way.error_s_per_day.unwrap_or(0.0).abs() * 1e9).round() as u64
}
