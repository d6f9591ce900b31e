//! Margins are judged by replay: latencies come from recordings or from a seeded generator, never
//! from a clock.

mod changes;
mod classes;
mod histogram;
mod loaded;
mod modes;
mod process;
mod promises;
mod replay;
mod streams;

use std::time::Duration;

use super::{Budget, LateRate, Margin, Observation};
use crate::instant::saturating_nanos;
use proptest::prelude::ProptestConfig;

/// As many cases of a property as are asked for: at most a quarter of what is usual, or with `PUNCTUAL_LONG=1` all.
fn tried() -> ProptestConfig {
    let asked = ProptestConfig::default();
    let cases = match std::env::var_os("PUNCTUAL_LONG") {
        None => asked.cases.min(64),
        Some(_) => asked.cases,
    };
    ProptestConfig { cases, ..asked }
}

pub(super) fn unlimited(late_rate: f64) -> Margin {
    with_budget(late_rate, 1.0)
}

pub(super) fn with_budget(late_rate: f64, budget: f64) -> Margin {
    Margin::new(
        LateRate::new(late_rate).unwrap(),
        Budget::new(budget).unwrap(),
    )
}

/// A periodic loop that waits as a sleeper does: the system's wait until the margin, then a spin
/// until the deadline.
pub(super) struct Loop {
    pub(super) margin: Margin,
    pub(super) waits: u32,
    pub(super) late: u32,
    pub(super) spun: u64,
    pub(super) elapsed: u64,
}

impl Loop {
    pub(super) fn new(margin: Margin) -> Self {
        Self {
            margin,
            waits: 0,
            late: 0,
            spun: 0,
            elapsed: 0,
        }
    }

    /// Waits once, with the system this late, all in nanoseconds. A wait that ends late delays the
    /// next by whole periods. Returns whether it ended late.
    pub(super) fn wait(&mut self, period: u64, latency: u64) -> bool {
        self.meet(period, latency, 0)
    }

    /// Waits once. If the wait spins, it loses its processor and ends so long after its deadline.
    pub(super) fn meet(&mut self, period: u64, latency: u64, overrun: u64) -> bool {
        let wait = Duration::from_nanos(period);
        let early = saturating_nanos(self.margin.before(wait)).min(period);
        let spun_whole = early == period;
        let lateness = if spun_whole || latency <= early {
            overrun
        } else {
            latency - early
        };
        let spun = if spun_whole {
            period
        } else {
            early.saturating_sub(latency)
        };
        let elapsed = (period + lateness) / period * period;
        self.margin.learn(Observation {
            wait,
            latency: (!spun_whole).then_some(Duration::from_nanos(latency)),
            spun: Duration::from_nanos(spun),
            lateness: Duration::from_nanos(lateness),
            elapsed: Duration::from_nanos(elapsed),
        });
        self.waits += 1;
        self.late += u32::from(lateness > 0);
        self.spun += spun;
        self.elapsed += elapsed;
        lateness > 0
    }

    pub(super) fn replay(margin: Margin, period: u64, latencies: &[u64]) -> Self {
        let mut run = Self::new(margin);
        for &latency in latencies {
            run.wait(period, latency);
        }
        run
    }

    pub(super) fn late_share(&self) -> f64 {
        f64::from(self.late) / f64::from(self.waits)
    }

    /// Nanoseconds.
    pub(super) fn spin_per_wait(&self) -> f64 {
        self.spun as f64 / f64::from(self.waits)
    }

    pub(super) fn spinning_share(&self) -> f64 {
        self.spun as f64 / self.elapsed as f64
    }
}

/// The next few waits, apart from those before.
pub(super) fn next(run: &mut Loop, waits: u32, mut wait: impl FnMut(&mut Loop)) -> (u32, f64) {
    let (late, spun) = (run.late, run.spun);
    for _ in 0..waits {
        wait(run);
    }
    (run.late - late, (run.spun - spun) as f64 / f64::from(waits))
}

/// How far an achieved late share may be from the rate asked for: 0.3 points, a fifth of the rate,
/// or twice the standard error of a share among so many waits.
pub(super) fn tolerance(late_rate: f64, waits: usize) -> f64 {
    let error = (late_rate * (1.0 - late_rate) / waits as f64).sqrt();
    0.003_f64.min(late_rate / 5.0).max(2.0 * error)
}
