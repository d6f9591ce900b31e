//! What the simulator set out to reach, and whether it did.

use super::contest::{EngineRow, PeerRow};
use super::day::Day;
use super::memory::Memory;
use super::{model, nexosim};
use crate::aim::{Aim, Bound};

/// Events per second over nexosim's, where there are many threads.
const TIMES_NEXOSIM: f64 = 5.0;
const MANY_THREADS: [u32; 2] = [1_000, 10_000];

/// Events per second, in millions, by the number of threads.
const MILLIONS: [(u32, f64); 3] = [(100, 25.0), (1_000, 15.0), (10_000, 10.0)];

/// Sleeps per second of the whole simulated Windows, in millions.
const MODEL_MILLIONS: f64 = 8.0;

/// What a simulated day of a 1 kHz loop may take, in processor time.
const DAY_SECONDS: f64 = 9.0;

/// Peak memory over that of a run a tenth as long. Not 1: where the system puts a program, and so
/// how many pages it touches, is a matter of chance.
const GROWTH: f64 = 1.05;

const MILLION: f64 = 1e6;

pub fn of_contest(engine: &[EngineRow], peers: &[PeerRow]) -> Vec<Aim> {
    let over_nexosim = MANY_THREADS.map(|threads| {
        let peer = |row: &&PeerRow| row.name == nexosim::NAME && row.threads == threads;
        let ratio = peers.iter().find(peer).and_then(|row| row.ratio);
        let text = format!("engine over nexosim, {threads} threads");
        Aim::new(
            &text,
            Bound::AtLeast(TIMES_NEXOSIM),
            ratio.map(|ratio| ratio.median),
        )
    });
    let absolute = MILLIONS.map(|(threads, least)| {
        let row = engine.iter().find(|row| row.threads == threads);
        let text = format!("million events/s, {threads} threads");
        let value = row.map(|row| row.events_per_second / MILLION);
        Aim::new(&text, Bound::AtLeast(least), value)
    });
    over_nexosim.into_iter().chain(absolute).collect()
}

pub fn of_model(sleeps_per_second: f64, days: &[Day], memory: &Memory) -> Vec<Aim> {
    let model = Aim::new(
        &format!("million sleeps/s, {}", model::VERSION),
        Bound::AtLeast(MODEL_MILLIONS),
        Some(sleeps_per_second / MILLION),
    );
    let days = days.iter().map(|day| {
        let text = format!("seconds for a day of 1 kHz, {}", day.machine);
        Aim::new(&text, Bound::Below(DAY_SECONDS), Some(day.day_seconds))
    });
    let memory = Aim::new(
        "peak memory over that of a tenth of the time",
        Bound::Below(GROWTH),
        Some(memory.growth()),
    );
    [model].into_iter().chain(days).chain([memory]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_measured_is_not_reached() {
        let aims = of_contest(&[], &[]);
        assert_eq!(aims.len(), MANY_THREADS.len() + MILLIONS.len());
        assert!(aims.iter().all(|aim| !aim.reached && aim.value.is_none()));
    }
}
