//! Charts: a histogram, and lines over the last hour. Lateness is drawn in decades.

use super::figures::{percentile, time, upper};
use crate::buckets::{BOUNDED, BOUNDS_NS};
use crate::histogram::Counts;
use crate::history::{MINUTES, Minute};
use punctual_data::figure::Figure;
use punctual_data::scale::{self, Scale};
use punctual_data::svg::{self, End, LINE};
use std::ops::RangeInclusive;

const TOP: f64 = 12.0;
const BOTTOM: f64 = 240.0;
/// The ends of the axis of the histogram, with room for half a name of a decade.
const LEFT: f64 = 28.0;
const RIGHT: f64 = svg::WIDTH - LEFT;

/// The decades of what was counted, and 10 µs to 1 ms at least.
fn decades(all: &Counts) -> RangeInclusive<i32> {
    let counted = (0..BOUNDED).filter(|&bucket| all.counts[bucket] > 0);
    // The first bucket begins with nothing, which is in no decade.
    let ends = counted.flat_map(|bucket| [BOUNDS_NS[bucket] / 2, BOUNDS_NS[bucket]]);
    scale::decades(ends.chain([10_000, 1_000_000]))
}

/// A bucket as it is drawn.
struct Bar {
    bucket: usize,
    left: f64,
    right: f64,
    /// How many there are on a unit of the axis.
    density: f64,
}

/// How many wake-ups each bucket has. Areas are as the counts: buckets have different widths.
pub fn histogram(counts: &Counts) -> Figure {
    let decades = decades(counts);
    let x = Scale::of_decades(&decades, (LEFT, RIGHT));
    let place = |ns: u64| x.place(scale::log(ns));
    let counted = (0..=BOUNDED).filter(|&bucket| counts.counts[bucket] > 0);
    let bars = counted.map(|bucket| {
        let right = place(upper(bucket));
        // The last bucket has no end: it is drawn as a line at the right.
        let left = place(lower(bucket)).min(right - 2.0);
        Bar {
            bucket,
            left,
            right,
            density: counts.counts[bucket] as f64 / (right - left),
        }
    });
    let bars: Vec<_> = bars.collect();
    let most = bars.iter().map(|bar| bar.density);
    let most = most.fold(f64::MIN_POSITIVE, f64::max);
    let title = format!(
        "How late {} wake-ups of all processors and methods were. The height is the square root of how many.",
        counts.total()
    );
    let words: Vec<_> = bars
        .iter()
        .map(|bar| in_words(counts, bar.bucket))
        .collect();
    Figure::draw(title, words.join("; "), BOTTOM + 1.6 * LINE, |out| {
        svg::decade_columns(out, &decades, &x, (TOP, BOTTOM));
        for (bar, words) in bars.iter().zip(&words) {
            // The square root shows rare ones too.
            let height = ((bar.density / most).sqrt() * (BOTTOM - TOP)).max(1.0);
            let size = ((bar.right - bar.left - 0.5).max(1.5), height);
            let corner = (bar.left, BOTTOM - height);
            svg::rect(out, &svg::filled(0), corner, size, Some(words));
        }
        svg::rule(out, "floor", (LEFT, BOTTOM), (RIGHT, BOTTOM));
    })
}

fn lower(bucket: usize) -> u64 {
    bucket.checked_sub(1).map_or(0, upper)
}

fn in_words(counts: &Counts, bucket: usize) -> String {
    let count = counts.counts[bucket];
    match upper(bucket) {
        u64::MAX => format!("{}: {count}", time(u64::MAX)),
        upper => format!("{} to {}: {count}", time(lower(bucket)), time(upper)),
    }
}

/// The lines of the last hour: their shares in thousandths, and what they are called.
const LINES: [(u64, &str); 3] = [
    (500, "half are earlier"),
    (990, "99 % are earlier"),
    (1000, "the worst"),
];

/// Percentiles of each minute, the latest at the right. A minute without any wake-up is a gap.
pub fn last_hour<'a>(minutes: impl ExactSizeIterator<Item = &'a Minute>) -> Figure {
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
    let decades = decades(&all);
    let y = Scale::of_decades(&decades, (BOTTOM, TOP));
    let x = Scale {
        values: (0.0, (MINUTES - 1) as f64),
        places: (svg::LEFT, svg::PLOT_RIGHT),
    };
    let title = "How late wake-ups were in each minute of the last hour";
    let about = "Three lines: the median, the 99th percentile and the worst wake-up.";
    Figure::draw(title, about, BOTTOM + 1.6 * LINE, |out| {
        svg::decade_rows(out, &decades, &y, svg::PLOT_RIGHT);
        let marks = [
            (0.0, "start", "1 h ago"),
            (0.5, "middle", "30 min"),
            (1.0, "end", "now"),
        ];
        for (share, anchor, name) in marks {
            let at = (x.place(share * x.values.1), BOTTOM + LINE);
            svg::label(out, at, anchor, "axis", name);
        }
        let mut ends = Vec::new();
        for (number, (thousandths, name)) in LINES.into_iter().enumerate() {
            let places = minutes.iter().enumerate().map(|(index, minute)| {
                let ns = percentile(&minute.wakes, thousandths)?;
                Some((x.place((missing + index) as f64), y.place(scale::log(ns))))
            });
            let places: Vec<_> = places.collect();
            let parts = places.split(Option::is_none);
            let parts = parts.map(|part| part.iter().flatten().copied().collect::<Vec<_>>());
            let parts: Vec<_> = parts.filter(|part| !part.is_empty()).collect();
            svg::lines(out, number, &parts, name);
            let end = parts.last().and_then(|part| part.last());
            ends.extend(end.map(|&at| End { at, number, name }));
        }
        svg::end_labels(out, &ends, BOTTOM);
    })
}
