//! What the watch tells of itself, its flight recorder included.

use crate::board::Board;
use crate::faults::Fault;
use crate::late::Lates;
use prometheus_client::encoding::{DescriptorEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::Unit;
use std::fmt;
use std::time::UNIX_EPOCH;

/// Writes all families of the watch itself.
pub fn encode(out: &mut DescriptorEncoder<'_>, board: &Board) -> fmt::Result {
    watch(out, board)?;
    match &board.lates {
        Some(lates) => recorder(out, lates),
        None => Ok(()),
    }
}

fn watch(out: &mut DescriptorEncoder<'_>, board: &Board) -> fmt::Result {
    let mut family = out.encode_descriptor(
        "faults",
        "What went wrong while the watch went on.",
        None,
        MetricType::Counter,
    )?;
    for fault in Fault::ALL {
        let label = [("fault", fault.name())];
        let count = board.faults.count(fault);
        family
            .encode_family(&label)?
            .encode_counter::<NoLabelSet, _, f64>(&count, None)?;
    }
    out.encode_descriptor("build", "The watch's version.", None, MetricType::Info)?
        .encode_info(&[("version", env!("CARGO_PKG_VERSION"))])?;
    let started = board.started.duration_since(UNIX_EPOCH);
    out.encode_descriptor(
        "start_time",
        "When the watch started, since 1970 UTC.",
        Some(&Unit::Seconds),
        MetricType::Gauge,
    )?
    .encode_gauge(&started.unwrap_or_default().as_secs_f64())
}

/// What the flight recorder counts.
#[allow(
    clippy::cast_precision_loss,
    reason = "far fewer than 2^53 bytes are kept"
)]
fn recorder(out: &mut DescriptorEncoder<'_>, lates: &Lates) -> fmt::Result {
    let counts = lates.counts();
    let help = "Wake-ups later than the recorder's threshold, by whether they were saved. Too many at once are only counted.";
    let mut family = out.encode_descriptor("late_wakeups", help, None, MetricType::Counter)?;
    for (kept, count) in [("yes", counts.kept), ("no", counts.not_kept)] {
        family
            .encode_family(&[("kept", kept)])?
            .encode_counter::<NoLabelSet, _, f64>(&count, None)?;
    }
    let help = "Bytes of all recordings that are kept.";
    out.encode_descriptor("recorder", help, Some(&Unit::Bytes), MetricType::Gauge)?
        .encode_gauge(&(counts.bytes as f64))?;
    let counters = [
        (
            "recorder_events",
            "Events that the kernel has written for the recorder.",
            counts.events,
        ),
        (
            "recorder_lost_events",
            "Events that the kernel could not write for the recorder.",
            counts.lost_events,
        ),
    ];
    for (name, help, count) in counters {
        out.encode_descriptor(name, help, None, MetricType::Counter)?
            .encode_counter::<NoLabelSet, _, f64>(&count, None)?;
    }
    Ok(())
}
