//! A wake-up's segments, those of one cause and one name together.

use punctual_trace::report::{SegmentRow, WakeUpRow};

/// All segments of one cause and one name.
pub(super) struct Lane<'a> {
    /// Any of them.
    pub(super) like: &'a SegmentRow,
    /// How long they are together.
    pub(super) ns: u64,
    /// How long after the deadline each began, and how long it was.
    pub(super) parts: Vec<(u64, u64)>,
}

/// The lanes in the order in which they begin; beyond so many, the shortest are left out.
pub(super) fn lanes(wake_up: &WakeUpRow, most: usize) -> Vec<Lane<'_>> {
    let mut lanes: Vec<Lane<'_>> = Vec::new();
    let mut start = 0;
    for segment in &wake_up.segments {
        let is_same = |lane: &&mut Lane<'_>| {
            (lane.like.cause, &lane.like.who) == (segment.cause, &segment.who)
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
