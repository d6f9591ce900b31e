//! Seeded latencies, in nanoseconds.

/// SplitMix64.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(super) fn below(&mut self, limit: u64) -> u64 {
        self.bits() % limit
    }

    /// Between 0 and 1, neither included.
    pub(super) fn share(&mut self) -> f64 {
        ((self.bits() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
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
