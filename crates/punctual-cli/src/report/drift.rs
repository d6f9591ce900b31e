//! The drift of each way to keep a beat: how far a clock that counts its beats would be off after a
//! day.
//!
//! A run is shorter than a day, and its first and last beat can each be late. If a run is too short
//! to show a drift, the page says so and gives the limit.

use punctual_data::figure::Figure;
use punctual_data::markup::Markup;
use punctual_data::quantity::{average_interval, nanos, period_ns, rounded, signed_seconds};
use punctual_data::scale::{self, Scale};
use punctual_data::svg::{self, LINE, MOST_LINES};
use punctual_lab::pace::{PaceRecord, PaceRecording};

const LEFT: f64 = 32.0;
const RIGHT: f64 = svg::WIDTH - 40.0;
const ROW: f64 = 46.0;
const THICK: f64 = 10.0;
const DAY_NS: f64 = 86_400e9;

/// What a run shows about a day.
enum Drift {
    /// It is off by this many seconds.
    Seconds(f64),
    /// It is off by at most this many nanoseconds, and maybe not at all.
    Within(u64),
    /// There were too few beats.
    Unknown,
}

impl Drift {
    fn of(way: &PaceRecord, asked_ns: f64) -> Self {
        let Some(seconds) = way.error_s_per_day else {
            return Self::Unknown;
        };
        let stray = (way.intervals.max_ns as f64 - asked_ns).max(way.jitter_ns);
        let bound = stray / (way.beats.max(1) as f64 * asked_ns) * DAY_NS;
        if seconds.abs() * 1e9 > bound {
            Self::Seconds(seconds)
        } else {
            Self::Within(rounded(bound))
        }
    }

    /// The length of its bar.
    fn nanos(&self) -> u64 {
        match self {
            Self::Seconds(seconds) => rounded(seconds.abs() * 1e9),
            Self::Within(bound) => *bound,
            Self::Unknown => 0,
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Seconds(seconds) => signed_seconds(*seconds),
            Self::Within(bound) => format!("none seen, within ±{}", nanos(*bound)),
            Self::Unknown => "too few beats".to_owned(),
        }
    }
}

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
        let off = in_a_day(way, asked_ns);
        format!("{}: {off} a day", named(way))
    });
    words.collect::<Vec<_>>().join("; ") + "."
}

/// The drift in a day, if it is known.
pub(super) fn in_words(way: &PaceRecord, asked_ns: f64) -> String {
    match Drift::of(way, asked_ns) {
        Drift::Seconds(seconds) => {
            let verb = if seconds > 0.0 { "loses" } else { "gains" };
            let time = match seconds.abs() {
                time @ 120.0.. => format!("{:.0} minutes", time / 60.0),
                time => format!("{time:.1} seconds"),
            };
            format!("{verb} {time} a day")
        }
        Drift::Within(bound) => format!(
            "drifts by less than {} a day, too little to be seen",
            nanos(bound)
        ),
        Drift::Unknown => "had too few beats to tell".to_owned(),
    }
}

/// How far off such a clock would be after a day.
pub(super) fn in_a_day(way: &PaceRecord, asked_ns: f64) -> String {
    Drift::of(way, asked_ns).text()
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

#[cfg(test)]
mod tests {
    use super::*;
    use punctual_data::distribution::Distribution;

    fn way(beats: u64, error_s_per_day: f64, max_ns: u64) -> PaceRecord {
        let nothing = Distribution::default();
        PaceRecord {
            way: "ticker".to_owned(),
            beats,
            elapsed_ns: 0,
            average_ns: Some(1e7),
            error_ppm: Some(0.0),
            error_s_per_day: Some(error_s_per_day),
            jitter_ns: 1_000.0,
            missed: 0,
            processor_share: 0.0,
            intervals: Distribution {
                max_ns,
                ..nothing.clone()
            },
            waits: nothing,
            stretches: Vec::new(),
            confidence: None,
        }
    }

    #[test]
    fn what_one_late_beat_can_cause_is_no_drift() {
        // A beat that is 10 ms late at the end of 2 s makes 432 s in a day.
        let short = in_a_day(&way(200, -416.0, 20_000_000), 1e7);
        assert_eq!(short, "none seen, within ±432 s");
        assert_eq!(in_a_day(&way(20_000, -416.0, 20_000_000), 1e7), "-416 s");
        assert_eq!(in_a_day(&way(200, 7_406.0, 10_900_000), 1e7), "+7406 s");
        let words = in_words(&way(20_000, 745.0, 20_000_000), 1e7);
        assert_eq!(words, "loses 12 minutes a day");
        let words = in_words(&way(20_000, -50.0, 10_010_000), 1e7);
        assert_eq!(words, "gains 50.0 seconds a day");
    }
}
