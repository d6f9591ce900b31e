//! Exemplars: the id of the latest saved wake-up of each bucket.
//!
//! prometheus-client makes exemplars only of what it counts itself, so they are added to its text.

use super::series::bound;
use crate::buckets::bucket;
use crate::late::LateWakeUp;
use punctual_data::escape::label;
use punctual_data::quantity::decimal;
use std::collections::HashMap;

/// How lines of buckets begin that have exemplars.
const START: &str = "punctual_wakeup_lateness_seconds_bucket{le=\"";

/// A bucket: its bound as a number (its bits), because a number has several texts, and its other labels as text.
type Bucket = (u64, String);

/// What ends the lines of buckets. The latest wake-up of a bucket wins. Those of earlier runs are in no bucket.
pub fn of(list: &[LateWakeUp], since_unix_ns: u64) -> HashMap<Bucket, String> {
    list.iter()
        .filter(|late| late.woke_unix_ns >= since_unix_ns)
        .map(|late| {
            let bound = bound(bucket(late.lateness_ns)).unwrap_or(f64::INFINITY);
            let (method, id) = (label(&late.method), label(&late.id));
            let labels = format!(",cpu=\"{}\",method=\"{method}\"}} ", late.processor);
            // Seconds with all their nanoseconds: rounded, a lateness could leave its bucket.
            let [lateness, woke] = [late.lateness_ns, late.woke_unix_ns].map(|ns| decimal(ns, 9));
            let exemplar = format!(" # {{late_id=\"{id}\"}} {lateness} {woke}");
            ((bound.to_bits(), labels), exemplar)
        })
        .collect()
}

/// Adds exemplars to the lines that they belong to.
pub fn add(text: &str, exemplars: &HashMap<Bucket, String>) -> String {
    let mut out = String::with_capacity(text.len() + exemplars.len() * 128);
    for line in text.lines() {
        out.push_str(line);
        if let Some(exemplar) = bucket_of(line).and_then(|bucket| exemplars.get(&bucket)) {
            out.push_str(exemplar);
        }
        out.push('\n');
    }
    out
}

/// The bucket that a line counts.
fn bucket_of(line: &str) -> Option<Bucket> {
    let (bound, rest) = line.strip_prefix(START)?.split_once('"')?;
    let bound: f64 = bound.parse().ok()?;
    let labels = &rest[..=rest.rfind(' ')?];
    Some((bound.to_bits(), labels.to_owned()))
}
