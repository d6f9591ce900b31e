//! The board as text for Prometheus: OpenMetrics, and the older text format.
//!
//! `docs/watch-numbers.md` lists every name with its meaning and unit.

mod accept;
mod exemplars;
mod families;
mod labels;
mod number;
mod older;
mod own;
mod series;
mod system;

pub use accept::Format;

use crate::board::Board;
use families::Families;
use prometheus_client::encoding::text;
use prometheus_client::registry::Registry;
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
