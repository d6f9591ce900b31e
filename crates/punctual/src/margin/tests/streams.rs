//! Seeded latencies, in nanoseconds.

pub(super) struct Random(fastrand::Rng);

impl Random {
    pub(super) fn of(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    pub(super) fn below(&mut self, limit: u64) -> u64 {
        self.0.u64(..limit)
    }

    /// More than 0, which has no logarithm, and at most 1.
    pub(super) fn share(&mut self) -> f64 {
        1.0 - self.0.f64()
    }

    /// A latency around `median` microseconds whose logarithm has this standard deviation.
    pub(super) fn around(&mut self, median: f64, deviation: f64) -> u64 {
        let radius = (-2.0 * self.share().ln()).sqrt();
        let normal = radius * (std::f64::consts::TAU * self.share()).cos();
        micros(median * (deviation * normal).exp())
    }

    /// A latency of a system that wakes on the ticks of an interval unrelated to the waits.
    pub(super) fn ticking(&mut self, interval: u64) -> u64 {
        20_000 + self.below(interval)
    }

    /// Pieces of so many consecutive latencies, taken at random places.
    pub(super) fn resample(&mut self, latencies: &[u64], piece: usize) -> Vec<u64> {
        let places = (latencies.len() - piece + 1) as u64;
        let mut pieces = Vec::new();
        while pieces.len() < latencies.len() {
            let start = usize::try_from(self.below(places)).unwrap();
            pieces.extend_from_slice(&latencies[start..start + piece]);
        }
        pieces.truncate(latencies.len());
        pieces
    }
}

pub(super) fn micros(micros: f64) -> u64 {
    super::super::units::whole(micros * 1000.0)
}
