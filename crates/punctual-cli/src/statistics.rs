//! The statistics of lateness that `--fail-if` names, for every command.

use punctual_data::distribution::Figure;

/// Their names, for messages.
pub const NAMES: &str = "p50, p90, p99, p99.9, max, mean";

/// The exit status of a run in which a bound was broken.
pub const EXIT_BOUND_BROKEN: u8 = 3;

/// The statistic of this name. One has two.
pub fn statistic(name: &str) -> Option<Figure> {
    let name = if name == "p999" { "p99.9" } else { name };
    Figure::ALL.into_iter().find(|known| known.name() == name)
}
