//! `docs/watch-numbers.md` lists every name that is told, and no other.

use super::samples;
use punctual_watch::exposition::openmetrics;
use punctual_watch::faults::Fault;
use punctual_watch::sample;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// Names that the made-up board does not have: a system tells them, or tells them only at times.
const ELSEWHERE: [&str; 6] = [
    "punctual_pressure_stalled_seconds_total",
    "punctual_throttled_seconds_total",
    "punctual_throttled_periods_total",
    "punctual_clock_source_changes_total",
    "punctual_timer_interval_seconds",
    "punctual_machine_info",
];

#[test]
fn the_page_lists_what_is_told() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/watch-numbers.md");
    let Ok(page) = std::fs::read_to_string(page) else {
        return println!("skipped: the page is not in a package");
    };
    for fault in Fault::ALL {
        let row = format!("\n| `{}` | ", fault.name());
        assert!(page.contains(&row), "{row}");
    }
    let listed: BTreeSet<_> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `punctual_")?.split(['`', '{']).next())
        .map(|name| format!("punctual_{name}"))
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let board = Arc::new(sample::board_with_late_wake_up(folder.path()).unwrap());
    let read = samples::read(&openmetrics(&board));
    let mut told: BTreeSet<_> = read
        .samples
        .keys()
        .map(|(name, _)| {
            let family = ["_bucket", "_sum", "_count"]
                .iter()
                .find_map(|suffix| name.strip_suffix(suffix));
            family.unwrap_or(name).to_owned()
        })
        .collect();
    let not_listed: Vec<_> = told.difference(&listed).collect();
    assert!(not_listed.is_empty(), "not on the page: {not_listed:?}");
    told.extend(ELSEWHERE.map(str::to_owned));
    let not_told: Vec<_> = listed.difference(&told).collect();
    assert!(
        not_told.is_empty(),
        "on the page, but not told: {not_told:?}"
    );
}
