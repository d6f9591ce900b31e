//! The segments of a wake-up, grouped by cause and name.

use crate::report::{SegmentRow, WakeUpRow};

/// All segments with one cause and one name.
pub(super) struct Lane<'a> {
    /// Any of these segments.
    pub(super) like: &'a SegmentRow,
    /// Their total duration.
    pub(super) ns: u64,
    /// The start of each after the deadline, and its duration.
    pub(super) parts: Vec<(u64, u64)>,
}

/// The lanes in the order of their starts. Beyond this many, the shortest are left out.
pub(super) fn lanes(wake_up: &WakeUpRow, most: usize) -> Vec<Lane<'_>> {
    let mut lanes: Vec<Lane<'_>> = Vec::new();
    let mut start = 0;
    for segment in &wake_up.segments {
        let is_same = |lane: &&mut Lane<'_>| {
            (lane.like.cause, &lane.like.occupant) == (segment.cause, &segment.occupant)
        };
        match lanes.iter_mut().find(is_same) {
            Some(lane) => {
                lane.ns += segment.ns;
                lane.parts.push((start, segment.ns));
            }
            None => lanes.push(Lane {
                like: segment,
                ns: segment.ns,
                parts: vec![(start, segment.ns)],
            }),
        }
        start += segment.ns;
    }
    lanes.sort_by_key(|lane| std::cmp::Reverse(lane.ns));
    lanes.truncate(most);
    lanes.sort_by_key(|lane| lane.parts[0].0);
    lanes
}
