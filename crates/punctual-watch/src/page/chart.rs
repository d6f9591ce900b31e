//! Charts: a histogram, and lines over the last hour. Lateness is drawn in decades.

use crate::histogram::{BOUNDED, BOUNDS_NS, Counts};
use crate::history::{MINUTES, Minute};
use punctual_data::chart::{self, Axis, Bin, Line, Row, Shape};
use punctual_data::figure::Figure;
use punctual_data::quantity::nanos;

/// The decades of what was counted, and 10 µs to 1 ms at least.
fn decades(all: &Counts) -> Axis {
    let counted = (0..BOUNDED).filter(|&bucket| all.counts[bucket] > 0);
    // The first bucket begins with nothing, which is in no decade.
    let ends = counted.flat_map(|bucket| [BOUNDS_NS[bucket] / 2, BOUNDS_NS[bucket]]);
    Axis::decades(ends.chain([10_000, 1_000_000]))
}

/// How many wake-ups each bucket has. The last has no end, and is drawn as a line at the right.
pub fn histogram(counts: &Counts) -> Figure {
    let counted = (0..=BOUNDED).filter(|&bucket| counts.counts[bucket] > 0);
    let bins = counted.map(|bucket| Bin {
        ends: (lower(bucket) as f64, upper(bucket) as f64),
        count: counts.counts[bucket],
        title: in_words(counts, bucket),
    });
    let bins: Vec<_> = bins.collect();
    let words: Vec<_> = bins.iter().map(|bin| bin.title.as_str()).collect();
    let title = format!(
        "How late {} wake-ups of all processors and methods were. The height is the square root of how many.",
        counts.total()
    );
    let row = Row {
        head: None,
        name: String::new(),
        note: String::new(),
        words: words.join("; "),
        colour: 0,
        shape: Shape::Histogram(bins),
    };
    chart::rows(title, "", &decades(counts), &[row], &[])
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
    let last = (MINUTES - 1) as f64;
    let marks = [(0.0, "1 h ago"), (0.5, "30 min"), (1.0, "now")];
    let marks = marks.map(|(share, name)| (share * last, name.to_owned()));
    let lines = LINES.map(|(thousandths, name)| {
        let points = minutes.iter().enumerate().map(|(index, minute)| {
            let ns = percentile(&minute.wakes, thousandths)?;
            Some(((missing + index) as f64, ns as f64))
        });
        let points: Vec<_> = points.collect();
        let parts = points.split(Option::is_none);
        let parts = parts.map(|part| part.iter().flatten().copied().collect());
        let parts = parts.filter(|part: &Vec<_>| !part.is_empty());
        Line::with_gaps(name, parts.collect())
    });
    let title = "How late wake-ups were in each minute of the last hour";
    let x = Axis::of((0.0, last), marks);
    chart::lines(title, &x, &decades(&all), &lines)
}

/// Where a share of all wake-ups is no later than: the upper bound of its bucket. `None` if nothing was counted.
/// [`u64::MAX`] in the bucket without a bound.
///
/// The share is in thousandths: 500 is the median.
pub fn percentile(counts: &Counts, thousandths: u64) -> Option<u64> {
    let total = counts.total();
    if total == 0 {
        return None;
    }
    let rank = u128::from(total) * u128::from(thousandths);
    let rank = u64::try_from(rank.div_ceil(1000)).unwrap_or(total).max(1);
    let mut so_far = 0;
    let bucket = counts.counts.iter().position(|count| {
        so_far += count;
        so_far >= rank
    })?;
    Some(upper(bucket))
}

/// The upper bound of a bucket.
pub fn upper(bucket: usize) -> u64 {
    match bucket {
        BOUNDED => u64::MAX,
        _ => BOUNDS_NS[bucket],
    }
}

/// A time, or that it is beyond the last bound.
pub fn time(ns: u64) -> String {
    match ns {
        u64::MAX => format!("over {}", nanos(BOUNDS_NS[BOUNDED - 1])),
        _ => nanos(ns),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_bounds_of_buckets() {
        let mut counts = Counts {
            counts: [0; BOUNDED + 1],
            sum_ns: 0,
        };
        assert_eq!(percentile(&counts, 500), None);
        counts.counts[0] = 499;
        counts.counts[3] = 500;
        counts.counts[BOUNDED] = 1;
        assert_eq!(percentile(&counts, 499), Some(1_000));
        assert_eq!(percentile(&counts, 500), Some(8_000));
        assert_eq!(percentile(&counts, 999), Some(8_000));
        assert_eq!(percentile(&counts, 1000), Some(u64::MAX));
        assert_eq!(time(u64::MAX), "over 16.8 s");
    }
}
