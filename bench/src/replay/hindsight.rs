//! The best fixed margin there is for a recording, known only afterwards.

use super::trace::Trace;

/// What could have been known of a recording.
pub trait Hindsight {
    /// Nanoseconds that the cheapest fixed policy spins in each wait on average, if at most this share
    /// of waits may be late. None if no policy has so few.
    fn spin_ns(&self, late_share: f64) -> Option<f64>;

    /// The least share of waits that a fixed policy makes late, if it may spin no more than this share
    /// of the time. None where a late wait is always the margin's doing.
    fn late_share(&self, spun_share: f64) -> Option<f64>;
}

/// A recording's latencies in order of length, so that any margin's cost can be looked up.
pub struct Sorted {
    sorted: Vec<u64>,
    /// Sums of the latencies before each, and of all.
    sums: Vec<u128>,
    period_ns: u64,
}

impl Sorted {
    pub fn new(trace: &Trace) -> Self {
        let mut sorted = trace.latencies_ns.clone();
        sorted.sort_unstable();
        let mut sums = vec![0];
        let mut sum = 0;
        for &latency in &sorted {
            sum += u128::from(latency);
            sums.push(sum);
        }
        Self {
            sorted,
            sums,
            period_ns: trace.period_ns,
        }
    }

    /// The longer the margin the more it spins, so the cheapest is the shortest that is allowed:
    /// the longest latency that must not be late. If that is no shorter than the period, only
    /// spinning every wait from beginning to end will do.
    fn cheapest_ns(&self, late_share: f64) -> f64 {
        let punctual = self.sorted.len() - self.allowed(late_share);
        let Some(&margin) = punctual
            .checked_sub(1)
            .and_then(|last| self.sorted.get(last))
        else {
            return 0.0;
        };
        if margin >= self.period_ns {
            return self.period_ns as f64;
        }
        let spun = u128::from(margin) * punctual as u128 - self.sums[punctual];
        spun as f64 / self.sorted.len() as f64
    }

    /// How many waits may be late. A share that was computed from a count gives that count again.
    fn allowed(&self, late_share: f64) -> usize {
        let exact = late_share * self.sorted.len() as f64;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "`as` saturates, which is what is wanted"
        )]
        let allowed = (exact + 1e-6) as usize;
        allowed.min(self.sorted.len())
    }
}

impl Hindsight for Sorted {
    fn spin_ns(&self, late_share: f64) -> Option<f64> {
        Some(self.cheapest_ns(late_share))
    }

    fn late_share(&self, _: f64) -> Option<f64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PERIOD: u64 = 1_000;

    /// Every margin there is, tried on every latency.
    fn by_brute_force(latencies: &[u64], allowed: usize) -> f64 {
        let spin = |margin: u64, latency: u64| {
            if margin >= PERIOD {
                PERIOD
            } else {
                margin.saturating_sub(latency)
            }
        };
        (0..=PERIOD)
            .filter(|&margin| {
                let late = |&&latency: &&u64| margin < PERIOD && latency > margin;
                latencies.iter().filter(late).count() <= allowed
            })
            .map(|margin| {
                latencies
                    .iter()
                    .map(|&latency| spin(margin, latency))
                    .sum::<u64>()
            })
            .min()
            .map_or(f64::NAN, |spun| spun as f64 / latencies.len() as f64)
    }

    #[test]
    fn agrees_with_trying_everything() {
        // Latencies up to one and a half periods, some of them equal, in no order.
        for count in 1..40_u64 {
            let latencies: Vec<u64> = (0..count)
                .map(|turn| (turn + count) * 7_919 % 101 * 15)
                .collect();
            let hindsight = Sorted::new(&Trace {
                name: "made up".to_owned(),
                period_ns: PERIOD,
                latencies_ns: latencies.clone(),
            });
            for allowed in 0..=latencies.len() {
                let share = allowed as f64 / latencies.len() as f64;
                let expected = by_brute_force(&latencies, allowed);
                assert_eq!(
                    hindsight.cheapest_ns(share),
                    expected,
                    "{allowed} of {latencies:?}"
                );
            }
        }
    }
}
