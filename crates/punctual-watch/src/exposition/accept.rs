//! Which format a client gets, by its header `Accept`.

use crate::board::Board;
use std::sync::Arc;

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
            Self::PrometheusText => super::prometheus_text(board),
            Self::OpenMetrics => super::openmetrics(board),
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
