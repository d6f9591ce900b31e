//! What the waits of one length took, as a recording has it. Units are in the names of the keys.

use super::Taken;
use crate::confidence::Confidence;
use punctual_data::clusters::{Cluster, clusters};
use punctual_data::pace::Spread;
use punctual_data::quantity::rounded;
use punctual_data::quantity::whole_nanos;
use serde::{Deserialize, Serialize};

/// What one call took with one length.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeriesRecord {
    /// The name of the call.
    pub call: String,
    /// How long it was to wait.
    pub length_ns: u64,
    /// What the system was asked for: whole units of the call.
    pub asked_ns: u64,
    /// How long each call took, in order.
    pub durations_ns: Vec<u64>,
    /// Their mean; `None` if there are none.
    pub mean_ns: Option<u64>,
    /// Their spread: the standard deviation.
    pub spread_ns: Option<u64>,
    /// The shortest.
    pub min_ns: Option<u64>,
    /// The longest.
    pub max_ns: Option<u64>,
    /// How many were shorter than what the system was asked for.
    pub early: u64,
    /// The values near which they cluster, ascending.
    pub clusters: Vec<Cluster>,
    /// Why there are no more, if the system refused to wait.
    pub failed: Option<String>,
    /// How far the mean can be trusted; `None` on a real machine.
    pub confidence: Option<Confidence>,
}

impl From<&Taken> for SeriesRecord {
    fn from(taken: &Taken) -> Self {
        let all = taken.durations_ns.as_slice();
        let mut spread = Spread::default();
        all.iter().for_each(|&ns| spread.add(ns as f64));
        let is_any = !all.is_empty();
        let asked_ns = whole_nanos(taken.asked);
        Self {
            call: taken.call.clone(),
            length_ns: whole_nanos(taken.length),
            asked_ns,
            mean_ns: is_any.then(|| rounded(spread.mean())),
            spread_ns: is_any.then(|| rounded(spread.deviation())),
            min_ns: all.iter().min().copied(),
            max_ns: all.iter().max().copied(),
            early: all.iter().filter(|&&ns| ns < asked_ns).count() as u64,
            clusters: clusters(all),
            durations_ns: all.to_vec(),
            failed: taken.failed.clone(),
            confidence: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_figures_are_those_of_the_durations() {
        let series = SeriesRecord::from(&Taken {
            call: "sleep".to_owned(),
            length: Duration::from_micros(500),
            asked: Duration::from_millis(1),
            durations_ns: vec![1_952_000, 15_625_000, 999_000, 1_953_000],
            failed: Some("refused".to_owned()),
        });
        assert_eq!(series.mean_ns, Some(5_132_250));
        assert_eq!(series.spread_ns, Some(6_070_486));
        assert_eq!(
            (series.min_ns, series.max_ns),
            (Some(999_000), Some(15_625_000))
        );
        assert_eq!(series.early, 1);
        assert_eq!(series.clusters.len(), 3);
    }
}
