//! Times as people read them, and percentiles of buckets.

use crate::buckets::{BOUNDED, BOUNDS_NS};
use crate::histogram::Counts;

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

/// A time to three digits: `84.5 µs`.
pub fn time(ns: u64) -> String {
    if ns == u64::MAX {
        return format!("over {}", time(BOUNDS_NS[BOUNDED - 1]));
    }
    let (unit, per) = match ns {
        0..1_000 => return format!("{ns} ns"),
        1_000..999_500 => ("µs", 1_000),
        999_500..999_500_000 => ("ms", 1_000_000),
        _ => ("s", 1_000_000_000),
    };
    let (whole, rest) = (ns / per, ns % per);
    match whole {
        0..10 => {
            let hundredths = (ns * 100 + per / 2) / per;
            format!("{}.{:02} {unit}", hundredths / 100, hundredths % 100)
        }
        10..100 => {
            let tenths = (ns * 10 + per / 2) / per;
            format!("{}.{} {unit}", tenths / 10, tenths % 10)
        }
        _ => format!("{} {unit}", whole + u64::from(rest * 2 >= per)),
    }
}

/// How long ago, in the greatest unit: `3 h`.
pub fn ago(seconds: u64) -> String {
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        7_200..172_800 => format!("{} h", seconds / 3_600),
        _ => format!("{} days", seconds / 86_400),
    }
}

/// A date and a time of day in UTC: `2025-06-15 15:06:40`.
pub fn date(unix_seconds: u64) -> String {
    let (days, second) = (unix_seconds / 86_400, unix_seconds % 86_400);
    // Howard Hinnant's `civil_from_days`, for days since 1970: years begin in March, eras have 400 years.
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits() {
        let times = [
            7,
            1_000,
            84_490,
            999_499,
            999_500,
            11_400_000,
            999_500_000,
            12_345_000_000,
        ];
        assert_eq!(
            times.map(time),
            [
                "7 ns", "1.00 µs", "84.5 µs", "999 µs", "1.00 ms", "11.4 ms", "1.00 s", "12.3 s"
            ]
        );
        assert_eq!(time(u64::MAX), "over 16.8 s");
    }

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
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01 00:00:00");
        assert_eq!(date(951_782_400), "2000-02-29 00:00:00");
        assert_eq!(date(1_750_000_000), "2025-06-15 15:06:40");
        assert_eq!(date(4_102_444_799), "2099-12-31 23:59:59");
    }
}
