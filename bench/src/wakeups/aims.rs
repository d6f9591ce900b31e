//! What Punctual set out to reach, and whether it did.

use super::{Row, TOLERANCES};
use crate::aim::{Aim, Bound};
use crate::share::percent;
use crate::waiting::PUNCTUAL;

/// Lateness of precise timers over tokio's, at the 99th percentile.
const LATENESS_OVER_TOKIO: f64 = 0.1;
const PRECISE_TIMERS: u32 = 1_000;

/// Wake-ups over the least that serve all windows. Above 1 by what beginning and ending a turn
/// takes: one of ten timers has some fifty wake-ups, so this is a matter of one or two in each.
const WAKEUPS_OVER_LEAST: f64 = 1.05;

pub fn of(rows: &[Row]) -> Vec<Aim> {
    let mut aims = Vec::new();
    if rows.iter().any(|row| row.timers == PRECISE_TIMERS) {
        let text = format!("p99 lateness over tokio's, {PRECISE_TIMERS} precise timers");
        let bound = Bound::Below(LATENESS_OVER_TOKIO);
        aims.push(Aim::new(&text, bound, over_tokio(rows)));
    }
    for row in rows.iter().filter(|row| row.contender == PUNCTUAL) {
        let tolerance = percent(row.tolerance.unwrap_or(TOLERANCES[0]));
        let text = format!(
            "wake-ups over the least, {} timers, {tolerance}",
            row.timers
        );
        let value = row.own_wakeups_over_least;
        aims.push(Aim::new(&text, Bound::Below(WAKEUPS_OVER_LEAST), value));
    }
    aims
}

fn over_tokio(rows: &[Row]) -> Option<f64> {
    let p99 = |name: &str, tolerance: Option<f64>| {
        let row = rows.iter().find(|row| {
            row.timers == PRECISE_TIMERS && row.contender == name && row.tolerance == tolerance
        });
        Some(row?.figures.as_ref()?.p99_ns as f64)
    };
    Some(p99(PUNCTUAL, Some(0.0))? / p99(super::contenders::TOKIO, None)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_measured_is_no_aim() {
        assert!(of(&[]).is_empty());
    }
}
