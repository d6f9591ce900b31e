//! How early to be woken: Punctual's rule and its peers', each as a rule of its own.

use super::Outcome;
use crate::statistics::nanos;
use punctual::Margin;
use punctual::margin::Observation;
use std::time::Duration;

/// Says how early, and hears how it went.
pub trait Rule {
    /// In nanoseconds; the wait or more means: spin all of it.
    fn margin(&mut self, wait: Duration) -> u64;

    fn learn(&mut self, observation: Observation);
}

impl Rule for Margin {
    fn margin(&mut self, wait: Duration) -> u64 {
        nanos(self.before(wait))
    }

    fn learn(&mut self, observation: Observation) {
        Margin::learn(self, observation);
    }
}

/// One margin for all machines, as spin_sleep has.
pub struct Fixed(pub u64);

impl Rule for Fixed {
    fn margin(&mut self, _: Duration) -> u64 {
        self.0
    }

    fn learn(&mut self, _: Observation) {}
}

/// "PreciseSleep" (2020): mean plus one standard deviation of all latencies seen, by Welford's
/// method.
///
/// The original sleeps a millisecond at a time while more than the estimate is left, and estimates
/// what such a sleep takes; a sleep's length less that millisecond is the latency here. It begins
/// with an estimate of 5 ms, and so never sleeps at all in a loop of a shorter period; here it
/// begins with nothing instead, and so learns from its first wait.
#[derive(Default)]
pub struct MeanAndDeviation {
    count: f64,
    mean: f64,
    /// Sum of the squared deviations from the mean.
    squares: f64,
}

impl Rule for MeanAndDeviation {
    fn margin(&mut self, _: Duration) -> u64 {
        let variance = self.squares / (self.count - 1.0).max(1.0);
        whole(self.mean + variance.sqrt())
    }

    fn learn(&mut self, observation: Observation) {
        if let Some(latency) = observation.latency {
            let latency = nanos(latency) as f64;
            self.count += 1.0;
            let delta = latency - self.mean;
            self.mean += delta / self.count;
            self.squares += delta * (latency - self.mean);
        }
    }
}

/// Robbins and Monro (1951) on the quantile: up a little when late, down much less when not, so
/// that it rests where the late share is as requested.
pub struct RobbinsMonro {
    requested: f64,
    /// `None` before the first wait.
    margin: Option<f64>,
}

/// Half of what an idle machine's wake-up takes (about 20 µs): a few late waits in a row double the
/// margin, and what one adds is not noticed.
const STEP_NANOS: f64 = 10_000.0;

impl RobbinsMonro {
    pub fn new(requested: f64) -> Self {
        let margin = None;
        Self { requested, margin }
    }
}

impl Rule for RobbinsMonro {
    fn margin(&mut self, _: Duration) -> u64 {
        whole(self.margin.unwrap_or(0.0))
    }

    fn learn(&mut self, observation: Observation) {
        let latency = observation.latency.map(|latency| nanos(latency) as f64);
        self.margin = match (self.margin, latency) {
            // Its seed is the first latency, whatever that was.
            (None, seed) => seed,
            (Some(margin), latency) => {
                let late = latency.is_some_and(|latency| latency > margin);
                let step = STEP_NANOS * (f64::from(u8::from(late)) - self.requested);
                Some((margin + step).max(0.0))
            }
        };
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "`as` saturates, which is what is wanted"
)]
fn whole(nanos: f64) -> u64 {
    nanos as u64
}

/// What `SDL_DelayPrecise` sleeps at a time.
const PROBE_NANOS: u64 = 1_000_000;

/// SDL 3's rule, `SDL_DelayPrecise`, once a period for as long as there are latencies. It learns within each wait and
/// forgets after it.
///
/// It sleeps in probes of one millisecond while more than the longest probe so far is left; then, by what the worst probe
/// was too long, less than what is left; then in milliseconds again, should more than one be left; and spins for the rest.
/// A recording holds one latency for each period, and a wait of 16 ms has up to fifteen probes. This takes the latencies
/// as the probes' in the order they were recorded, so there are fewer waits than latencies. (Its probes would in truth be
/// shorter waits than the recorded ones, which come back a little sooner.) A wait of one millisecond has no probes and no
/// margin.
pub fn sdl(period_ns: u64, latencies: &[u64]) -> Outcome {
    let mut outcome = Outcome::default();
    let mut latencies = latencies.iter().copied();
    // What the recording does not finish is left out.
    while let Some(woke) = probe(period_ns, &mut latencies) {
        outcome.waits += 1;
        outcome.late += u64::from(woke > period_ns);
        outcome.spun_ns += u128::from(period_ns.saturating_sub(woke));
        outcome.elapsed_ns += u128::from(woke.max(period_ns));
    }
    outcome
}

/// When the last sleep of a wait ended, from its start.
fn probe(target: u64, latencies: &mut impl Iterator<Item = u64>) -> Option<u64> {
    let (mut now, mut longest) = (0, PROBE_NANOS);
    while now + longest < target {
        let probe = PROBE_NANOS + latencies.next()?;
        longest = longest.max(probe);
        now += probe;
    }
    let margin = longest - PROBE_NANOS;
    if now + margin < target {
        now = target - margin + latencies.next()?;
    }
    while now + PROBE_NANOS < target {
        now += PROBE_NANOS + latencies.next()?;
    }
    Some(now)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WAIT: Duration = Duration::from_millis(1);

    fn woken(latency_ns: u64) -> Observation {
        Observation::new(WAIT, WAIT).with_latency(Duration::from_nanos(latency_ns))
    }

    #[test]
    fn mean_and_deviation_are_those_of_the_sample() {
        let mut rule = MeanAndDeviation::default();
        assert_eq!(rule.margin(WAIT), 0);
        for latency in [2_000, 4_000, 4_000, 4_000, 5_000, 5_000, 7_000, 9_000] {
            rule.learn(woken(latency));
        }
        // Mean 5000; squares 32e6 over 7.
        assert_eq!(rule.margin(WAIT), 5_000 + 2_138);
    }

    #[test]
    fn robbins_monro_rests_at_the_quantile() {
        let mut rule = RobbinsMonro::new(0.1);
        let mut late = 0;
        for turn in 0..20_000_u64 {
            // Evenly spread over 0 to 100 µs, in an order without a pattern.
            let latency = turn * 61_803 % 100_000;
            late += u64::from(latency > rule.margin(WAIT));
            rule.learn(woken(latency));
        }
        assert!((1_900..2_100).contains(&late), "{late}");
        let margin = rule.margin(WAIT);
        assert!((80_000..110_000).contains(&margin), "{margin}");
    }

    #[test]
    fn the_worst_of_sdls_probes_is_its_margin() {
        let replayed = |period_ns, latencies: &[u64]| {
            let outcome = sdl(period_ns, latencies);
            (outcome.waits, outcome.late, outcome.spun_ns)
        };
        // A wait of one millisecond is never spun.
        assert_eq!(replayed(1_000_000, &[20_000, 30_000, 10_000]), (3, 3, 0));
        // Two probes, 100 and 300 µs late; the third sleep ends 300 - 50 µs before the deadline.
        let probes = [100_000, 300_000, 50_000];
        assert_eq!(replayed(3_600_000, &probes), (1, 0, 250_000));
        // The third sleep is later than either probe.
        let probes = [100_000, 300_000, 400_000];
        assert_eq!(replayed(3_600_000, &probes).1, 1);
        assert_eq!(replayed(3_600_000, &probes[..2]).0, 0);
    }
}
