//! Exemplars: the id of the latest saved wake-up of each bucket.
//!
//! prometheus-client makes exemplars only of what it counts itself, so they are added to its text.

use super::series::bound;
use crate::histogram::bucket;
use punctual_data::escape::label;
use punctual_data::quantity::decimal;
use punctual_trace::recorder::LateWakeUp;
use std::collections::HashMap;

/// How lines of buckets begin that have exemplars.
const START: &str = "punctual_wakeup_lateness_seconds_bucket{le=\"";

/// A bucket: its bound as a number (its bits), because a number has several texts, and its other labels as text.
type Bucket = (u64, String);

/// What ends the lines of buckets. The latest wake-up of a bucket wins. Those of earlier runs are in no bucket.
pub fn of(list: &[LateWakeUp], since_unix_ns: u64) -> HashMap<Bucket, String> {
    list.iter()
        .filter(|late| late.woke_unix_ns >= since_unix_ns)
        .filter_map(|late| {
            let processor = late.processor?;
            let bound = bound(bucket(late.lateness_ns)).unwrap_or(f64::INFINITY);
            let (method, id) = (label(&late.subject), label(&late.id));
            let labels = format!(",cpu=\"{processor}\",method=\"{method}\"}} ");
            // Seconds with all their nanoseconds: rounded, a lateness could leave its bucket.
            let [lateness, woke] = [late.lateness_ns, late.woke_unix_ns].map(|ns| decimal(ns, 9));
            let exemplar = format!(" # {{late_id=\"{id}\"}} {lateness} {woke}");
            Some(((bound.to_bits(), labels), exemplar))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn late(number: u64, processor: u16, lateness_ns: u64) -> LateWakeUp {
        LateWakeUp {
            id: number.to_string(),
            woke_unix_ns: number,
            processor: Some(processor),
            subject: "nanosleep".to_owned(),
            lateness_ns,
            ..LateWakeUp::default()
        }
    }

    #[test]
    fn an_exemplar_is_the_last_of_its_series_and_bucket_since_the_start() {
        let (seven, nine) = (7_000_000, 9_000_000);
        let list = [
            late(1, 3, nine),
            late(2, 3, seven),
            late(3, 2, seven),
            late(4, 3, seven),
        ];
        let exemplars = of(&list, 2);
        let mut ids: Vec<_> = exemplars
            .iter()
            .map(|((_, labels), it)| (labels, it))
            .collect();
        ids.sort();
        // That of 9 ms woke before the start.
        let [(_, of_two), (_, of_three)] = &ids[..] else {
            panic!("{ids:?}");
        };
        assert!(
            of_two.starts_with(" # {late_id=\"3\"} 0.007000000"),
            "{of_two}"
        );
        assert!(
            of_three.starts_with(" # {late_id=\"4\"} 0.007000000"),
            "{of_three}"
        );
        assert_eq!(of(&list, 1).len(), 3);
    }
}
