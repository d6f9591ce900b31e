//! A number as both formats write it.

use prometheus_client::encoding::{MetricEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType;
use std::fmt;

/// A number that only rises, or one that does not.
pub enum Number {
    Rises(f64),
    Is(f64),
}

impl Number {
    pub fn kind(&self) -> MetricType {
        match self {
            Self::Rises(_) => MetricType::Counter,
            Self::Is(_) => MetricType::Gauge,
        }
    }

    pub fn encode(&self, out: &mut MetricEncoder<'_>) -> fmt::Result {
        match self {
            Self::Rises(value) => out.encode_counter::<NoLabelSet, _, f64>(value, None),
            Self::Is(value) => out.encode_gauge(value),
        }
    }
}

#[allow(
    clippy::cast_precision_loss,
    reason = "2^53 ns are 104 days, and more is told to 2 ns"
)]
pub fn whole(number: u64) -> f64 {
    number as f64
}

/// Nanoseconds in seconds.
pub fn seconds(ns: u64) -> f64 {
    whole(ns) / 1e9
}
