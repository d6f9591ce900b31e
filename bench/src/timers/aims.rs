//! What the queue set out to reach, and whether it did.

use super::{PUNCTUAL, Row};
use crate::aim::{Aim, Bound};

/// Up to so many timers.
const MOST: u64 = 1_000_000;

/// The next best peer crate's churn over ours.
const CHURN_TIMES: f64 = 2.0;

/// Not crates that one would take for a timer queue.
const STANDARD: [&str; 2] = ["std-binary-heap", "std-btree-map"];

pub fn of(rows: &[Row]) -> Vec<Aim> {
    let ours = rows
        .iter()
        .filter(|row| row.structure == PUNCTUAL && row.timers <= MOST);
    ours.flat_map(|ours| [churn(ours, rows), fastest(ours, rows)])
        .collect()
}

fn churn(ours: &Row, rows: &[Row]) -> Aim {
    let peers = others(ours, rows).filter(|row| !STANDARD.contains(&row.structure));
    let ratio = peers
        .map(|row| row.churn_ratio.median)
        .min_by(f64::total_cmp);
    let text = format!("peer crates' churn over ours, {} timers", ours.timers);
    Aim::new(&text, Bound::AtLeast(CHURN_TIMES), ratio)
}

fn fastest(ours: &Row, rows: &[Row]) -> Aim {
    let operations = [
        |row: &Row| row.medians.insert_ns,
        |row: &Row| row.medians.cancel_ns,
        |row: &Row| row.medians.churn_ns,
        |row: &Row| row.medians.expire_ns,
    ];
    let ratios = operations
        .iter()
        .flat_map(|time| others(ours, rows).map(move |row| time(row) / time(ours)));
    let text = format!("any other's time over ours, {} timers", ours.timers);
    Aim::new(&text, Bound::AtLeast(1.0), ratios.min_by(f64::total_cmp))
}

fn others<'a>(ours: &Row, rows: &'a [Row]) -> impl Iterator<Item = &'a Row> {
    let timers = ours.timers;
    rows.iter()
        .filter(move |row| row.timers == timers && row.structure != PUNCTUAL)
}
