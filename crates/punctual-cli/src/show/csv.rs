//! Figures for spreadsheets: plain numbers, with their units in the columns' names.

use punctual_lab::statistics::Summary;

const STATISTICS: [&str; 6] = ["p50", "p90", "p99", "p99.9", "max", "mean"];

/// The names of the columns of a summary: `waits_p50_ns`.
pub fn named(what: &str) -> [String; STATISTICS.len()] {
    STATISTICS.map(|statistic| format!("{what}_{statistic}_ns"))
}

/// The cells of a summary.
pub fn statistics(summary: &Summary) -> [String; STATISTICS.len()] {
    let Summary {
        p50_ns,
        p90_ns,
        p99_ns,
        p999_ns,
        max_ns,
        mean_ns,
        ..
    } = *summary;
    [p50_ns, p90_ns, p99_ns, p999_ns, max_ns, mean_ns].map(|nanos| nanos.to_string())
}
