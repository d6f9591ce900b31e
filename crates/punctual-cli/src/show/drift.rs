//! How far a loop is off after a day.
//!
//! A run is shorter than a day, and its first and last beat can each be late. If a run is too short to show a drift, that is
//! said, with the limit.

use punctual_data::quantity::{nanos, rounded, signed_seconds};
use punctual_lab::pace::PaceRecord;

const DAY_NS: f64 = 86_400e9;

/// What a run shows about a day.
pub enum Drift {
    /// It is off by this many seconds.
    Seconds(f64),
    /// It is off by at most this many nanoseconds, and maybe not at all.
    Within(u64),
    /// There were too few beats.
    Unknown,
}

impl Drift {
    /// Of a loop that was asked for this period.
    pub fn of(way: &PaceRecord, asked_ns: f64) -> Self {
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

    /// Its amount, or its limit.
    pub fn nanos(&self) -> u64 {
        match self {
            Self::Seconds(seconds) => rounded(seconds.abs() * 1e9),
            Self::Within(bound) => *bound,
            Self::Unknown => 0,
        }
    }

    /// For a table or a picture.
    pub fn text(&self) -> String {
        match self {
            Self::Seconds(seconds) => signed_seconds(*seconds),
            Self::Within(bound) => format!("none seen, within ±{}", nanos(*bound)),
            Self::Unknown => "too few beats".to_owned(),
        }
    }

    /// What the loop does, for a sentence.
    pub fn in_words(&self) -> String {
        match self {
            Self::Seconds(seconds) => {
                let verb = if *seconds > 0.0 { "loses" } else { "gains" };
                let time = match seconds.abs() {
                    time @ 7_200.0.. => format!("{:.1} hours", time / 3_600.0),
                    time @ 120.0.. => format!("{:.0} minutes", time / 60.0),
                    time => nanos(rounded(time * 1e9)),
                };
                format!("{verb} {time} a day")
            }
            Self::Within(bound) => format!(
                "drifts by less than {} a day, too little to be seen",
                nanos(*bound)
            ),
            Self::Unknown => "had too few beats to tell".to_owned(),
        }
    }
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
        let drift = |beats, error, max_ns| Drift::of(&way(beats, error, max_ns), 1e7);
        // A beat that is 10 ms late at the end of 2 s makes 432 s in a day.
        let short = drift(200, -416.0, 20_000_000);
        assert_eq!(short.text(), "none seen, within ±432 s");
        let words = "drifts by less than 432 s a day, too little to be seen";
        assert_eq!(short.in_words(), words);
        assert_eq!(drift(20_000, -416.0, 20_000_000).text(), "-416 s");
        assert_eq!(drift(200, 7_406.0, 10_900_000).text(), "+7406 s");
        let in_words = |error| drift(20_000, error, 10_010_000).in_words();
        assert_eq!(in_words(745.0), "loses 12 minutes a day");
        assert_eq!(in_words(8_100.0), "loses 2.2 hours a day");
        assert_eq!(in_words(-50.0), "gains 50.0 s a day");
    }
}
