//! A histogram of lateness, and which of its percentiles is compared.

use std::fmt;
use std::str::FromStr;

/// How many wake-ups were how late, over a window of time.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Lateness {
    /// The upper bound in seconds and how many were at most this late, both rising. The last bound is infinite.
    cumulative: Vec<(f64, f64)>,
}

impl Lateness {
    /// Of counts that include all lower ones, as Prometheus' classic histograms have them, in any order.
    pub fn of_cumulative(mut buckets: Vec<(f64, f64)>) -> Self {
        buckets.retain(|(bound, count)| !bound.is_nan() && count.is_finite());
        buckets.sort_by(|one, next| one.0.total_cmp(&next.0));
        // Each bucket's increase is estimated alone, which can make one a little less than the one below it.
        let mut least = 0.0;
        for (_, count) in &mut buckets {
            least = f64::max(least, *count);
            *count = least;
        }
        Self {
            cumulative: buckets,
        }
    }

    /// Of counts of each bucket alone, as native histograms have them: upper bound and count.
    pub fn of_single(mut buckets: Vec<(f64, f64)>) -> Self {
        buckets.retain(|(bound, count)| !bound.is_nan() && count.is_finite());
        buckets.sort_by(|one, next| one.0.total_cmp(&next.0));
        let mut sum = 0.0;
        for (_, count) in &mut buckets {
            sum += *count;
            *count = sum;
        }
        Self {
            cumulative: buckets,
        }
    }

    /// How many wake-ups.
    pub fn total(&self) -> f64 {
        self.cumulative.last().map_or(0.0, |(_, count)| *count)
    }

    /// The lateness in seconds that this share of the wake-ups does not exceed. `None` if there are none.
    ///
    /// Within a bucket, lateness is taken to be spread evenly over the logarithm, because the bounds are a
    /// geometric series. What is above the last bound counts as that bound.
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let total = self.total();
        if total <= 0.0 {
            return None;
        }
        let rank = share * total;
        let at = self
            .cumulative
            .iter()
            .position(|(_, count)| *count >= rank && *count > 0.0)?;
        let (upper, count) = self.cumulative[at];
        let (lower, below) = match at {
            0 => (0.0, 0.0),
            _ => self.cumulative[at - 1],
        };
        if upper.is_infinite() {
            return Some(lower);
        }
        // Below the first bound there is no logarithm to spread over.
        if lower <= 0.0 {
            return Some(upper);
        }
        let part = ((rank - below) / (count - below)).clamp(0.0, 1.0);
        Some(lower * (upper / lower).powf(part))
    }
}

/// A percentile, in thousandths of a percent, so that it is exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Percentile(u32);

impl Percentile {
    /// The median.
    pub const P50: Self = Self(50_000);
    /// 99 of 100 wake-ups are at most this late.
    pub const P99: Self = Self(99_000);
    /// 999 of 1,000 wake-ups are at most this late.
    pub const P999: Self = Self(99_900);

    /// The share of wake-ups that are at most this late, between 0 and 1.
    pub fn share(self) -> f64 {
        f64::from(self.0) / 100_000.0
    }

    /// How many wake-ups a machine needs before one of them is later than this percentile.
    pub fn fewest(self) -> f64 {
        1.0 / (1.0 - self.share())
    }
}

impl fmt::Display for Percentile {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "p{}", f64::from(self.0) / 1_000.0)
    }
}

impl FromStr for Percentile {
    type Err = String;

    /// Reads `p99.9` or `99.9`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || "give a percentile between p1 and p99.999, such as p50 or p99.9".to_owned();
        let digits = text.strip_prefix('p').unwrap_or(text);
        let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
        let is_number =
            |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number(whole) || !is_number(part) || whole.len() > 2 || part.len() > 3 {
            return Err(wrong());
        }
        let thousandths: u32 = format!("{whole}{part:0<3}").parse().map_err(|_| wrong())?;
        match thousandths {
            1_000..=99_999 => Ok(Self(thousandths)),
            _ => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const END: f64 = f64::INFINITY;

    #[test]
    fn both_kinds_of_histogram_say_the_same() {
        let classic = Lateness::of_cumulative(vec![(END, 100.0), (1e-3, 90.0), (2e-3, 99.0)]);
        let native = Lateness::of_single(vec![(2e-3, 9.0), (1e-3, 90.0), (END, 1.0)]);
        assert_eq!(classic, native);
        assert_eq!(classic.total(), 100.0);
        assert_eq!(classic.quantile(0.5), Some(1e-3));
        assert_eq!(classic.quantile(0.99), Some(2e-3));
        assert_eq!(classic.quantile(0.999), Some(2e-3));
        // In the middle of the logarithm.
        let middle = classic.quantile(0.945).unwrap();
        assert!((middle - 1e-3 * 2f64.sqrt()).abs() < 1e-9, "{middle}");
    }

    #[test]
    fn nothing_has_no_percentile() {
        assert_eq!(Lateness::default().quantile(0.5), None);
        assert_eq!(
            Lateness::of_cumulative(vec![(1.0, 0.0), (END, 0.0)]).quantile(0.5),
            None
        );
    }

    #[test]
    fn a_bucket_that_is_less_than_the_one_below_is_as_much() {
        let uneven = Lateness::of_cumulative(vec![(1.0, 10.0), (2.0, 9.9), (END, 10.0)]);
        assert_eq!(uneven.quantile(1.0), Some(1.0));
    }

    proptest! {
        #[test]
        fn percentiles_rise_and_are_within_the_bounds(
            counts in proptest::collection::vec(0.0..1e6, 2..50),
            mut shares in proptest::collection::vec(0.01..0.99999, 2),
        ) {
            let bounds = (0..counts.len()).map(|at| 1e-6 * 1.5f64.powf(at as f64));
            let lateness = Lateness::of_single(bounds.zip(counts).collect());
            shares.sort_by(f64::total_cmp);
            let found: Vec<_> = shares.iter().filter_map(|share| lateness.quantile(*share)).collect();
            if let [less, more] = found[..] {
                prop_assert!(1e-6 <= less && less <= more, "{less} {more}");
            }
        }

        #[test]
        fn no_numbers_break_it(buckets in proptest::collection::vec((any::<f64>(), any::<f64>()), 0..20)) {
            let classic = Lateness::of_cumulative(buckets.clone());
            let native = Lateness::of_single(buckets);
            let _ = (classic.quantile(0.5), native.quantile(0.5));
        }
    }

    #[test]
    fn what_is_written_is_read() {
        for text in ["p50", "p99", "p99.9", "p99.999", "p1", "p12.5"] {
            assert_eq!(text.parse::<Percentile>().unwrap().to_string(), text);
        }
        assert_eq!("99.9".parse(), Ok(Percentile::P999));
        assert_eq!(Percentile::P50.share(), 0.5);
        for text in [
            "", "p", "p0", "p0.5", "p100", "p99.9999", "-5", "p5e1", "p.5", "p5.", "p+5",
        ] {
            assert!(text.parse::<Percentile>().is_err(), "{text}");
        }
    }
}
