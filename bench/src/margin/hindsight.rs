//! The best fixed policy there is for a recording, known only afterwards.

use super::Outcome;
use super::recording::{DEFAULT, Recording};
use super::rules::Fixed;

/// What could have been known of a recording.
#[derive(Debug)]
pub enum Hindsight {
    /// Latencies in order of length: any margin's cost can be looked up.
    Sorted { latencies: Vec<u64>, period_ns: u64 },
    /// What the fixed policies that were recorded come to.
    Recorded(Vec<Outcome>),
}

impl Hindsight {
    /// `slices` are the recordings of one file. A program that may have a slice may have the default one, too.
    pub fn of(recording: &Recording, slices: &[Recording]) -> Self {
        if let Some(mut latencies) = recording.latencies() {
            latencies.sort_unstable();
            let period_ns = recording.period_ns;
            return Self::Sorted {
                latencies,
                period_ns,
            };
        }
        let may_have = |slice: &&Recording| {
            slice.slice.as_deref() == Some(DEFAULT) || slice.slice == recording.slice
        };
        let fixed = slices.iter().filter(may_have).flat_map(|slice| {
            let margins = slice.met.keys();
            margins.map(|&margin| super::replay(slice, &mut Fixed(margin)))
        });
        Self::Recorded(fixed.collect())
    }

    /// Nanoseconds that the cheapest fixed policy spins in each wait on average, if at most this share of waits may be
    /// late. None if no policy has so few.
    pub fn spin_ns(&self, late_share: f64) -> Option<f64> {
        match self {
            Self::Sorted {
                latencies,
                period_ns,
            } => Some(cheapest(latencies, *period_ns, late_share)),
            Self::Recorded(fixed) => {
                let allowed = fixed.iter().filter(|it| it.late_share() <= late_share);
                allowed.map(Outcome::spin_ns).min_by(f64::total_cmp)
            }
        }
    }

    /// The least share of waits that a fixed policy makes late, if it may spin no more than this share of the time. None
    /// where a late wait is always the margin's doing.
    pub fn late_share(&self, spun_share: f64) -> Option<f64> {
        match self {
            Self::Sorted { .. } => None,
            Self::Recorded(fixed) => {
                let allowed = fixed.iter().filter(|it| it.spun_share() <= spun_share);
                allowed.map(Outcome::late_share).min_by(f64::total_cmp)
            }
        }
    }
}

/// The longer the margin the more it spins, so the cheapest is the shortest that is allowed: the longest latency that
/// must not be late. If that is no shorter than the period, only spinning every wait from beginning to end will do.
fn cheapest(sorted: &[u64], period_ns: u64, late_share: f64) -> f64 {
    let punctual = &sorted[..sorted.len() - allowed(sorted.len(), late_share)];
    match punctual.last() {
        None => 0.0,
        Some(&margin) if margin >= period_ns => period_ns as f64,
        Some(&margin) => {
            let spun = punctual.iter().map(|latency| u128::from(margin - latency));
            spun.sum::<u128>() as f64 / sorted.len() as f64
        }
    }
}

/// How many waits may be late. A share that was computed from a count gives that count again.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "`as` saturates, which is what is wanted"
)]
fn allowed(waits: usize, late_share: f64) -> usize {
    ((late_share * waits as f64 + 1e-6) as usize).min(waits)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PERIOD: u64 = 1_000;

    /// Every margin there is, tried on every latency.
    fn by_brute_force(latencies: &[u64], allowed: usize) -> f64 {
        let late = |margin, latency| margin < PERIOD && latency > margin;
        let spin = |margin: u64, latency: u64| match margin {
            PERIOD.. => PERIOD,
            _ => margin.saturating_sub(latency),
        };
        let margins = (0..=PERIOD).filter(|&margin| {
            let lates = latencies.iter().filter(|&&latency| late(margin, latency));
            lates.count() <= allowed
        });
        let spins = margins.map(|margin| latencies.iter().map(|&it| spin(margin, it)).sum::<u64>());
        spins
            .min()
            .map_or(f64::NAN, |spun| spun as f64 / latencies.len() as f64)
    }

    #[test]
    fn agrees_with_trying_everything() {
        // Latencies up to one and a half periods, some of them equal.
        for count in 1..40_u64 {
            let latencies = (0..count).map(|turn| (turn + count) * 7_919 % 101 * 15);
            let mut latencies: Vec<_> = latencies.collect();
            latencies.sort_unstable();
            for allowed in 0..=latencies.len() {
                let share = allowed as f64 / latencies.len() as f64;
                let expected = by_brute_force(&latencies, allowed);
                let found = cheapest(&latencies, PERIOD, share);
                assert_eq!(found, expected, "{allowed} of {latencies:?}");
            }
        }
    }

    #[test]
    fn the_best_policy_is_one_that_the_thread_may_have() {
        // Punctual in one of two waits with the default slice, and in both with the short one.
        let text = "default 0 170 170\ndefault 60 150 900\n100 60 200 200";
        let slices = Recording::parse("busy-1ms", 1_000_000, true, text).unwrap();
        let hindsights: Vec<_> = slices.iter().map(|it| Hindsight::of(it, &slices)).collect();
        let best = hindsights.iter().map(|fixed| fixed.late_share(0.05));
        assert_eq!(best.collect::<Vec<_>>(), [Some(0.0), Some(0.5)]);
        let spin = hindsights.iter().map(|fixed| fixed.spin_ns(0.0));
        assert_eq!(spin.collect::<Vec<_>>(), [Some(40_000.0), None]);
    }
}
