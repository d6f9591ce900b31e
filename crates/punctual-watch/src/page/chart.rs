//! Charts as SVG: a histogram, and lines over the last hour. Lateness is drawn in doublings.

use super::figures::{percentile, time, upper};
use super::html::Html;
use crate::buckets::{BOUNDED, BOUNDS_NS};
use crate::histogram::Counts;
use crate::history::{MINUTES, Minute};
use punctual_data::quantity::decade;
use std::ops::RangeInclusive;

/// The size of a drawing in its own units. It is scaled to the page: as wide as a phone, so that letters are readable there.
const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 170.0;
/// Where the axes are.
const LEFT: f64 = 46.0;
const BOTTOM: f64 = 150.0;
const TOP: f64 = 8.0;
const RIGHT: f64 = WIDTH - 6.0;

/// The decades of nanoseconds that the axis of lateness marks.
const MARKS: RangeInclusive<i32> = 3..=10;

/// The marks between two latenesses, with their names.
fn marks(from: u64, to: u64) -> impl Iterator<Item = (u64, String)> {
    let marks = MARKS.map(|exponent| (10_u64.pow(exponent.unsigned_abs()), decade(exponent)));
    marks.filter(move |(mark, _)| (from..=to).contains(mark))
}

/// A lateness as a share of the axis from the first bound to the last.
#[allow(clippy::cast_precision_loss, reason = "a place in a drawing")]
fn place(ns: u64, from: u64, to: u64) -> f64 {
    let doublings = |ns: u64| (ns.max(1) as f64).log2();
    ((doublings(ns) - doublings(from)) / (doublings(to) - doublings(from))).clamp(0.0, 1.0)
}

#[allow(clippy::cast_precision_loss, reason = "a place in a drawing")]
fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

fn start(out: &mut Html, label: &str) {
    out.markup(format_args!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\""
    ));
    out.text(label);
    out.raw("\">");
}

/// What part of the axis is needed: a bucket around the counted ones, and 10 µs to 1 ms at least.
fn bounds(all: &Counts) -> (u64, u64) {
    let first = all.counts.iter().position(|&count| count > 0).unwrap_or(0);
    let last = all.counts.iter().rposition(|&count| count > 0).unwrap_or(0);
    let from = BOUNDS_NS[first.saturating_sub(1).min(BOUNDED - 1)] / 2;
    let to = BOUNDS_NS[last.min(BOUNDED - 1)];
    (from.clamp(500, 10_000), to.max(1_000_000))
}

/// How many wake-ups each bucket has. Areas are as the counts: buckets have different widths.
pub fn histogram(out: &mut Html, counts: &Counts) {
    let (from, to) = bounds(counts);
    let x = |ns| LEFT + place(ns, from, to) * (RIGHT - LEFT);
    let bars: Vec<_> = (0..=BOUNDED)
        .filter(|&bucket| counts.counts[bucket] > 0)
        .map(|bucket| {
            let lower = bucket.checked_sub(1).map_or(0, upper);
            let (left, right) = (x(lower), x(upper(bucket)));
            let share = share(counts.counts[bucket], counts.total());
            // The last bucket has no end: it is drawn as a line at the right.
            (
                left.min(RIGHT - 2.0),
                right,
                share / (right - left).max(2.0),
                bucket,
            )
        })
        .collect();
    let most = bars
        .iter()
        .map(|bar| bar.2)
        .fold(f64::MIN_POSITIVE, f64::max);
    start(out, "How late wake-ups are, as a histogram");
    for (mark, name) in marks(from, to) {
        let x = x(mark);
        out.markup(format_args!(
            "<path class=\"grid\" d=\"M{x:.1} {TOP}V{BOTTOM}\"/>"
        ));
        out.markup(format_args!(
            "<text x=\"{x:.1}\" y=\"165\" text-anchor=\"middle\">"
        ));
        out.text(name);
        out.raw("</text>");
    }
    for (left, right, density, bucket) in bars {
        // The square root shows rare ones too.
        let height = (density / most).sqrt() * (BOTTOM - TOP);
        let height = height.max(1.0);
        out.markup(format_args!(
            "<rect class=\"bar\" x=\"{left:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\"><title>",
            BOTTOM - height,
            (right - left - 0.5).max(1.5),
        ));
        let lower = bucket.checked_sub(1).map_or(0, upper);
        let upper = upper(bucket);
        match upper {
            u64::MAX => out.text(time(upper)),
            _ => out.text(format_args!("{} to {}", time(lower), time(upper))),
        }
        out.text(format_args!(": {}", counts.counts[bucket]));
        out.raw("</title></rect>");
    }
    out.markup(format_args!(
        "<path class=\"grid\" d=\"M{LEFT} {BOTTOM}H{RIGHT}\"/></svg>"
    ));
}

/// The lines of the last hour: their classes, their shares in thousandths, and what they are called.
pub const LINES: [(&str, u64, &str); 3] = [
    ("half", 500, "half are earlier"),
    ("most", 990, "99 % are earlier"),
    ("worst", 1000, "the latest"),
];

/// Percentiles of each minute, the latest at the right. A minute without any wake-up is a gap.
pub fn last_hour<'a>(out: &mut Html, minutes: impl ExactSizeIterator<Item = &'a Minute>) {
    let missing = MINUTES - minutes.len().min(MINUTES);
    let minutes: Vec<_> = minutes.collect();
    let mut all = Counts {
        counts: [0; BOUNDED + 1],
        sum_ns: 0,
    };
    for minute in &minutes {
        for (sum, count) in all.counts.iter_mut().zip(minute.wakes.counts) {
            *sum += count;
        }
    }
    let (from, to) = bounds(&all);
    let y = |ns| BOTTOM - place(ns, from, to) * (BOTTOM - TOP);
    let x = |minute: usize| LEFT + share(minute as u64, MINUTES as u64 - 1) * (RIGHT - LEFT);
    start(
        out,
        "How late wake-ups were in each minute of the last hour",
    );
    for (mark, name) in marks(from, to) {
        let y = y(mark);
        out.markup(format_args!(
            "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{RIGHT}\"/>"
        ));
        out.markup(format_args!(
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">",
            LEFT - 5.0,
            y + 4.0
        ));
        out.text(name);
        out.raw("</text>");
    }
    for (minute, anchor, text) in [
        (0, "start", "1 h ago"),
        (30, "middle", "30 min"),
        (59, "end", "now"),
    ] {
        out.markup(format_args!(
            "<text x=\"{:.1}\" y=\"166\" text-anchor=\"{anchor}\">{text}</text>",
            x(minute)
        ));
    }
    for (class, thousandths, _) in LINES {
        let mut path = String::new();
        let mut pen = 'M';
        for (index, minute) in minutes.iter().enumerate() {
            let Some(ns) = percentile(&minute.wakes, thousandths) else {
                pen = 'M';
                continue;
            };
            let (x, y) = (x(missing + index), y(ns));
            // A dot where no line leads on.
            path.push_str(&format!("{pen}{x:.1} {y:.1}"));
            if pen == 'M' {
                path.push_str("h.1");
            }
            pen = 'L';
        }
        out.markup(format_args!("<path class=\"{class}\" d=\"{path}\"/>"));
    }
    out.raw("</svg>");
}
