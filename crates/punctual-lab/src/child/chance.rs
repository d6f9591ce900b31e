//! Chance that does not repeat soon, and differs from thread to thread.

/// A stream of numbers.
pub(super) struct Chance(u32);

impl Chance {
    /// The stream of a number: that of a thread.
    pub(super) fn of(number: u32) -> Self {
        // The golden ratio in 32 bits sets neighbours apart; a seed of zero would stay zero.
        const SPREAD: u32 = 0x9e37_79b9;
        Self(number.wrapping_mul(SPREAD).max(1))
    }

    /// A number from `least` to `most`, both included.
    pub(super) fn between(&mut self, least: u32, most: u32) -> u32 {
        // xorshift32 (Marsaglia 2003, https://doi.org/10.18637/jss.v008.i14): any seed but zero.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        least + self.0 % (most - least + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_mixed_and_within_their_bounds() {
        for number in 0..200 {
            let mut chance = Chance::of(number);
            let drawn: Vec<_> = (0..1_000).map(|_| chance.between(1, 40)).collect();
            assert!((1..=40).all(|value| drawn.contains(&value)), "{number}");
            assert!(drawn.iter().all(|value| (1..=40).contains(value)));
            // 20.5 expected; four deviations of the mean are 1.5.
            let mean = f64::from(drawn.iter().sum::<u32>()) / 1_000.0;
            assert!((19.0..22.0).contains(&mean), "{number}: {mean}");
        }
    }
}
