//! Values near which durations cluster.
//!
//! The durations are sorted, and each begins as a group of its own. The gaps between neighbours are
//! looked at from the shortest on: a gap joins the groups on its sides unless it is far longer than
//! the usual gap in one of them. So values on a lattice become one group each, and values that are
//! spread evenly one wide group, even if they are few. At the end, groups that chance has left
//! apart are joined. Nothing depends on the order of the durations.

use crate::quantity::{nanos, percent};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::time::Duration;

/// Durations that lie closer together belong together: about what a processor that leaves its sleep
/// adds to a wake-up.
pub const RESOLUTION: Duration = Duration::from_micros(20);

/// A group of fewer durations is too small to have a usual gap.
const FEW: usize = 5;

/// The usual gap is taken from the gaps on the side of a group that matters, at most so many.
const NEAREST: usize = 64;

/// A group with less than one of so many durations may be chance in a wider one.
const CHANCE: usize = 20;

/// Durations that lie near each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cluster {
    /// The median.
    pub near_ns: u64,
    /// The shortest.
    pub from_ns: u64,
    /// The longest.
    pub to_ns: u64,
    /// How many.
    pub count: u64,
}

/// The clusters of these durations in nanoseconds, ascending. Each duration belongs to one.
///
/// ```
/// use punctual_data::clusters::clusters;
///
/// let found = clusters(&[1_952_000, 15_625_000, 1_953_000, 1_953_000]);
/// let shown: Vec<_> = found.iter().map(|cluster| (cluster.near_ns, cluster.count)).collect();
/// assert_eq!(shown, [(1_953_000, 3), (15_625_000, 1)]);
/// ```
pub fn clusters(durations_ns: &[u64]) -> Vec<Cluster> {
    let mut sorted = durations_ns.to_vec();
    sorted.sort_unstable();
    let mut grouping = Grouping::new(&sorted);
    grouping.join_by_gaps();
    while grouping.join_what_chance_left_apart() {}
    let groups = grouping.groups.iter();
    groups
        .filter_map(|(&first, &last)| cluster(sorted.get(first..=last)?))
        .collect()
}

/// Of sorted durations.
fn cluster(sorted: &[u64]) -> Option<Cluster> {
    let median = sorted.len().checked_sub(1)? / 2;
    Some(Cluster {
        near_ns: *sorted.get(median)?,
        from_ns: *sorted.first()?,
        to_ns: *sorted.last()?,
        count: sorted.len() as u64,
    })
}

/// Neighbouring durations in groups.
struct Grouping {
    /// The gap after each duration but the last.
    gaps: Vec<u64>,
    /// For each group, the number of its first duration and that of its last.
    groups: BTreeMap<usize, usize>,
    /// How many times the usual gap parts two groups.
    factor: f64,
}

impl Grouping {
    /// Of sorted durations: those within the resolution are together.
    fn new(sorted: &[u64]) -> Self {
        let gaps: Vec<u64> = sorted.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let mut groups = BTreeMap::new();
        let mut first = 0;
        for last in 0..sorted.len() {
            let parts = |gap: &u64| u128::from(*gap) > RESOLUTION.as_nanos();
            if gaps.get(last).is_none_or(parts) {
                groups.insert(first, last);
                first = last + 1;
            }
        }
        Self {
            gaps,
            groups,
            factor: factor(sorted.len()),
        }
    }

    /// Looks at each gap once, from the shortest on.
    fn join_by_gaps(&mut self) {
        let mut ends: Vec<usize> = self.groups.values().copied().collect();
        // There is no gap after the last duration.
        ends.pop();
        ends.sort_by_key(|&end| (self.gaps[end], end));
        for end in ends {
            if self.joins(end) {
                self.join(end);
            }
        }
    }

    /// Whether the gap after the group that ends there is usual in the groups on its sides: in both if
    /// both are large enough, otherwise in the larger, and of two small ones in both together. A gap
    /// between two lone durations is usual.
    fn joins(&self, end: usize) -> bool {
        let first = self.first_of(end);
        let known = [self.usual_before(first, end), self.usual_after(end + 1)];
        let known = known.into_iter().flatten().min();
        let inner = || {
            let after = end + 1..*self.groups.get(&(end + 1)).unwrap_or(&(end + 1));
            let inner = [&self.gaps[first..end], &self.gaps[after]].concat();
            (!inner.is_empty()).then(|| median(&inner))
        };
        known
            .or_else(inner)
            .is_none_or(|usual| self.is_usual(end, usual))
    }

    /// Joins two groups between which a gap is usual in both, or a small group to a larger one in
    /// which it is usual. Returns whether there were such groups.
    fn join_what_chance_left_apart(&mut self) -> bool {
        let all = self.gaps.len() + 1;
        let groups: Vec<_> = self
            .groups
            .iter()
            .map(|(&first, &last)| (first, last))
            .collect();
        let between = groups.windows(2).map(|pair| (pair[0], pair[1]));
        let found = between.map(|(before, after)| {
            let end = before.1;
            let is_usual =
                |usual: Option<u64>| usual.is_some_and(|usual| self.is_usual(end, usual));
            let usual_before = is_usual(self.usual_before(before.0, end));
            let usual_after = is_usual(self.usual_after(after.0));
            let [here, next] = [before, after].map(|(first, last)| last + 1 - first);
            let is_chance = |size: usize, other: usize| size <= other && size * CHANCE < all;
            let joins = match (usual_before, usual_after) {
                (true, true) => true,
                (true, false) => is_chance(next, here),
                (false, true) => is_chance(here, next),
                (false, false) => false,
            };
            (end, joins)
        });
        let joined = found.filter(|&(_, joins)| joins).map(|(end, _)| end);
        match joined.min_by_key(|&end| (self.gaps[end], end)) {
            Some(end) => {
                self.join(end);
                true
            }
            None => false,
        }
    }

    /// Joins the group that ends there with the next.
    fn join(&mut self, end: usize) {
        let first = self.first_of(end);
        if let Some(last) = self.groups.remove(&(end + 1)) {
            self.groups.insert(first, last);
        }
    }

    /// The first of the group that ends there.
    fn first_of(&self, end: usize) -> usize {
        let group = self.groups.range(..=end).next_back();
        group.map_or(end, |(&first, _)| first)
    }

    fn is_usual(&self, end: usize, usual: u64) -> bool {
        self.gaps[end] as f64 <= usual as f64 * self.factor
    }

    /// The usual gap at the end of a group; `None` if it is too small to have one.
    fn usual_before(&self, first: usize, last: usize) -> Option<u64> {
        let is_large = last + 1 - first >= FEW;
        is_large.then(|| median(&self.gaps[first.max(last.saturating_sub(NEAREST))..last]))
    }

    /// The usual gap at the beginning of the group that begins there.
    fn usual_after(&self, first: usize) -> Option<u64> {
        let last = *self.groups.get(&first)?;
        let is_large = last + 1 - first >= FEW;
        is_large.then(|| median(&self.gaps[first..last.min(first + NEAREST)]))
    }
}

/// How many times the usual gap parts two groups. Of `n` durations that are spread evenly, the
/// longest gap is about `ln n` times the mean, which is 1.4 times the median; the rest is a margin,
/// because the median of a few gaps varies.
fn factor(durations: usize) -> f64 {
    const MEANS_PER_MEDIAN: f64 = 1.5;
    const MARGIN: f64 = 8.0;
    MEANS_PER_MEDIAN * ((durations.max(1) as f64).ln() + MARGIN)
}

/// The median of gaps, of which there is one or more.
fn median(gaps: &[u64]) -> u64 {
    let mut gaps = gaps.to_vec();
    gaps.sort_unstable();
    gaps[gaps.len() / 2]
}

/// Clusters with a smaller share are summed up.
const LEAST_SHARE: f64 = 0.005;

/// A cluster that is wider than this part of its median is shown with both ends.
const WIDE: f64 = 0.05;

/// The clusters, the commonest first, as many as fit the width, and the share of the others.
pub fn near(clusters: &[Cluster], width: usize) -> String {
    let all: u64 = clusters.iter().map(|cluster| cluster.count).sum();
    let share = |count: u64| count as f64 / all as f64;
    let mut clusters = clusters.to_vec();
    clusters.sort_by_key(|cluster| (Reverse(cluster.count), cluster.near_ns));
    let (mut line, mut shown) = (String::new(), 0);
    for cluster in &clusters {
        let next = format!("{} {}", place(cluster), percent(share(cluster.count)));
        let longer = match line.as_str() {
            "" => next,
            so_far => format!("{so_far}, {next}"),
        };
        let rest = others(share(all - shown - cluster.count));
        let is_common = line.is_empty() || share(cluster.count) >= LEAST_SHARE;
        if !is_common || longer.chars().count() + rest.chars().count() > width {
            break;
        }
        (line, shown) = (longer, shown + cluster.count);
    }
    line + &others(share(all - shown))
}

/// What is left out.
fn others(share: f64) -> String {
    match share {
        ..=0.0 => String::new(),
        share => format!(", elsewhere {}", percent(share)),
    }
}

/// Where a cluster is: its median, or both ends if it is wide.
fn place(cluster: &Cluster) -> String {
    let wide = cluster.to_ns.saturating_sub(cluster.from_ns) as f64 > cluster.near_ns as f64 * WIDE;
    match wide {
        true => range(&nanos(cluster.from_ns), &nanos(cluster.to_ns)),
        false => nanos(cluster.near_ns),
    }
}

/// Two durations, with the unit once if it is the same.
fn range(from: &str, to: &str) -> String {
    match (from.split_once(' '), to.split_once(' ')) {
        (Some((from, unit)), Some((_, same))) if unit == same => format!("{from} to {to}"),
        _ => format!("{from} to {to}"),
    }
}

#[cfg(test)]
mod tests;
