//! What the driver set out to reach, and whether it did.

use super::{ADAPTER, Beating, Rate, Sleeping};
use crate::aim::{Aim, Bound};

/// Ours over tokio's.
const RATE: f64 = 1.0;

/// Median lateness, and processor time for each deadline with a tolerance, ours over tokio's: among very
/// many tasks the driver is no worse.
const WORSE: f64 = 1.0;

/// Median lateness of one task, ours over tokio's: microseconds instead of a millisecond.
const BEAT: f64 = 0.1;

pub fn of(rates: &[Rate], sleeping: &[Sleeping], beating: &[Beating]) -> Vec<Aim> {
    let rates = rates.iter().map(|rate| {
        let threads = if rate.threads == 1 {
            "thread"
        } else {
            "threads"
        };
        let text = format!(
            "{} over tokio's, {} {threads}",
            rate.operation, rate.threads
        );
        Aim::new(&text, Bound::AtLeast(RATE), Some(rate.ratio.median))
    });
    let tokio = sleeping.iter().find(|row| row.tolerance_ns.is_none());
    let ours = sleeping.iter().filter(|row| row.tolerance_ns.is_some());
    let among_many = ours.flat_map(|row| {
        let tolerance = row.tolerance_ns.unwrap_or(0) / 1_000_000;
        let aim = |what: &str, figure: fn(&Sleeping) -> f64| {
            let text = format!("{what} over tokio's, {}, {tolerance} ms", row.contender);
            let value = tokio.map(|tokio| figure(row) / figure(tokio));
            Aim::new(&text, Bound::Below(WORSE), value)
        };
        let lateness = aim("p50", |row| row.p50_ns.median);
        // Whoever asks for more than tokio promises pays for it.
        let processor =
            (tolerance > 0).then(|| aim("processor", |row| row.processor_ns_per_deadline.median));
        [Some(lateness), processor].into_iter().flatten()
    });
    rates.chain(among_many).chain(beats(beating)).collect()
}

fn beats(beating: &[Beating]) -> impl Iterator<Item = Aim> {
    let (ours, tokio): (Vec<_>, Vec<_>) = beating.iter().partition(|row| row.contender == ADAPTER);
    ours.into_iter().map(move |row| {
        let peer = tokio.iter().find(|peer| peer.threads == row.threads);
        let text = format!("p50 at 1 kHz over tokio's, {} threads", row.threads);
        let value = peer.map(|peer| row.p50_ns.median / peer.p50_ns.median);
        Aim::new(&text, Bound::Below(BEAT), value)
    })
}
