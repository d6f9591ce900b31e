//! The board as text for Prometheus: OpenMetrics, and the older text format.
//!
//! `docs/watch-numbers.md` lists every name with its meaning and unit.

mod exemplars;
mod older;
mod own;
mod series;
mod system;

use super::locked;
use crate::board::Board;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{
    DescriptorEncoder, EncodeLabelValue, LabelValueEncoder, MetricEncoder, NoLabelSet, text,
};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::Registry;
use punctual_data::escape::label;
use std::fmt;
use std::fmt::Write;
use std::sync::Arc;
use std::time::UNIX_EPOCH;

/// What stands before every name.
pub const PREFIX: &str = "punctual";

/// The board in OpenMetrics 1.0. Buckets carry the id of the latest saved wake-up in them as an exemplar.
pub fn openmetrics(board: &Arc<Board>) -> String {
    let encoded = encode(board);
    let list = board.lates.as_ref().map(|lates| lates.saved.list());
    match list.filter(|list| !list.is_empty()) {
        None => encoded,
        Some(list) => {
            let started = board.started.duration_since(UNIX_EPOCH).unwrap_or_default();
            let started = u64::try_from(started.as_nanos()).unwrap_or(u64::MAX);
            exemplars::add(&encoded, &exemplars::of(&list, started))
        }
    }
}

/// The board in the text format 0.0.4 of Prometheus, which has neither exemplars nor units.
pub fn prometheus_text(board: &Arc<Board>) -> String {
    older::from_openmetrics(&encode(board))
}

fn encode(board: &Arc<Board>) -> String {
    let mut registry = Registry::with_prefix(PREFIX);
    registry.register_collector(Box::new(Families::of(board)));
    let mut encoded = String::with_capacity(series::BYTES * (board.series.len() + 1));
    text::encode(&mut encoded, &registry).expect("writing to a string does not fail");
    encoded
}

/// A format of the exposition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Prometheus' text format 0.0.4: what a client gets that asks for nothing.
    PrometheusText,
    /// OpenMetrics 1.0.
    OpenMetrics,
}

impl Format {
    /// What a client prefers. Only one that names OpenMetrics gets it, in equal terms too. One that accepts neither
    /// gets text: better than nothing to a person who looks.
    ///
    /// ```
    /// use punctual_watch::exposition::Format;
    ///
    /// assert_eq!(Format::accepted("application/openmetrics-text;version=1.0.0,text/plain;q=0.5"), Format::OpenMetrics);
    /// assert_eq!(Format::accepted("*/*"), Format::PrometheusText);
    /// ```
    pub fn accepted(accept: &str) -> Self {
        let (mut openmetrics, mut text) = (0, 0);
        for range in accept.split(',') {
            let mut parts = range.split(';').map(str::trim);
            let media = parts.next().unwrap_or_default();
            let (mut quality, mut version) = (1000, None);
            for (name, value) in parts.filter_map(|part| part.split_once('=')) {
                let value = value.trim().trim_matches('"');
                match name.trim() {
                    name if name.eq_ignore_ascii_case("q") => quality = thousandths(value),
                    name if name.eq_ignore_ascii_case("version") => version = Some(value),
                    _ => {}
                }
            }
            if media.eq_ignore_ascii_case("application/openmetrics-text") {
                if version.is_none_or(|version| version == "1.0.0") {
                    openmetrics = openmetrics.max(quality);
                }
            } else if ["text/plain", "text/*", "*/*"]
                .iter()
                .any(|it| media.eq_ignore_ascii_case(it))
                && version.is_none_or(|version| version == "0.0.4")
            {
                text = text.max(quality);
            }
        }
        match openmetrics > 0 && openmetrics >= text {
            true => Self::OpenMetrics,
            false => Self::PrometheusText,
        }
    }

    /// What the header `Content-Type` says of it.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::PrometheusText => "text/plain; version=0.0.4; charset=utf-8",
            Self::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
        }
    }

    /// The board in this format.
    pub fn encode(self, board: &Arc<Board>) -> String {
        match self {
            Self::PrometheusText => prometheus_text(board),
            Self::OpenMetrics => openmetrics(board),
        }
    }
}

/// A weight between 0 and 1 in thousandths, which is all that RFC 9110 allows. What is none weighs nothing.
fn thousandths(text: &str) -> u32 {
    let weight = text.parse::<f64>().unwrap_or(0.0);
    match weight {
        weight if weight >= 1.0 => 1000,
        weight if weight > 0.0 => (1..1000)
            .rfind(|&thousandths| f64::from(thousandths) <= weight * 1000.0 + 1e-6)
            .unwrap_or(1),
        _ => 0,
    }
}

/// A board that can be encoded.
#[derive(Debug)]
struct Families {
    board: Arc<Board>,
}

impl Families {
    pub fn of(board: &Arc<Board>) -> Self {
        Self {
            board: Arc::clone(board),
        }
    }
}

impl Collector for Families {
    fn encode(&self, mut out: DescriptorEncoder) -> fmt::Result {
        series::encode(&mut out, &self.board.series)?;
        own::encode(&mut out, &self.board)?;
        // The observer is not held up meanwhile.
        let readings = locked(&self.board.readings).clone();
        system::encode(&mut out, &readings)
    }
}

/// The value of a label: any text.
#[derive(Debug, Clone, Copy)]
struct Value<'a>(pub &'a str);

impl EncodeLabelValue for Value<'_> {
    fn encode(&self, encoder: &mut LabelValueEncoder) -> fmt::Result {
        encoder.write_str(&label(self.0))
    }
}

/// A number that only rises, or one that does not.
enum Number {
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
fn whole(number: u64) -> f64 {
    number as f64
}

/// Nanoseconds in seconds.
fn seconds(ns: u64) -> f64 {
    whole(ns) / 1e9
}
