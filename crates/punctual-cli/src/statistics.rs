//! The statistics of lateness that `--fail-if` names, for every command.

use punctual_lab::statistics::Summary;

/// A statistic that is a duration: its name, and the function that finds it.
pub type Statistic = (&'static str, fn(&Summary) -> u64);

/// All of them. One has two names.
const STATISTICS: [Statistic; 7] = [
    ("p50", |summary| summary.p50_ns),
    ("p90", |summary| summary.p90_ns),
    ("p99", |summary| summary.p99_ns),
    ("p99.9", |summary| summary.p999_ns),
    ("p999", |summary| summary.p999_ns),
    ("max", |summary| summary.max_ns),
    ("mean", |summary| summary.mean_ns),
];

/// Their names, for messages.
pub const NAMES: &str = "p50, p90, p99, p99.9, max, mean";

/// The exit status of a run in which a bound was broken.
pub const EXIT_BOUND_BROKEN: u8 = 3;

/// The statistic of this name.
pub fn statistic(name: &str) -> Option<Statistic> {
    STATISTICS.into_iter().find(|known| known.0 == name)
}
