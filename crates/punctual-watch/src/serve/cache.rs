//! The latest expositions, so that many clients cost no more than a few.

use super::limits::FRESH;
use crate::board::Board;
use crate::exposition::Format;
use hyper::body::Bytes;
use std::sync::Arc;
use std::time::Instant;

/// An exposition of each format, and when it was made.
#[derive(Debug, Default)]
pub struct Cache {
    text: Option<(Instant, Bytes)>,
    openmetrics: Option<(Instant, Bytes)>,
}

impl Cache {
    /// An exposition that is fresh.
    pub fn get(&mut self, format: Format, board: &Arc<Board>, now: Instant) -> Bytes {
        let kept = match format {
            Format::PrometheusText => &mut self.text,
            Format::OpenMetrics => &mut self.openmetrics,
        };
        match kept {
            Some((made, bytes)) if now.saturating_duration_since(*made) < FRESH => bytes.clone(),
            _ => {
                let bytes = Bytes::from(format.encode(board));
                *kept = Some((now, bytes.clone()));
                bytes
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use std::sync::atomic::Ordering::Relaxed;

    #[test]
    fn what_is_fresh_is_encoded_once() {
        let board = Arc::new(sample::board());
        let mut cache = Cache::default();
        let now = Instant::now();
        let first = cache.get(Format::OpenMetrics, &board, now);
        board.series[0].missed.fetch_add(1, Relaxed);
        assert_eq!(
            first,
            cache.get(Format::OpenMetrics, &board, now + FRESH / 2)
        );
        assert_ne!(first, cache.get(Format::PrometheusText, &board, now));
        assert_ne!(first, cache.get(Format::OpenMetrics, &board, now + FRESH));
    }
}
