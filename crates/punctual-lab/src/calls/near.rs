//! Clusters as a line of text.

use super::Cluster;
use punctual_data::quantity::{nanos, percent};
use std::cmp::Reverse;

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
