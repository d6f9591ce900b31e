//! Chance that is the same everywhere and for ever: integers only, because a logarithm may round
//! differently on another computer.

use std::time::Duration;

/// A stream of random numbers that follows from its seed: SplitMix64 (Steele, Lea and Flood, "Fast
/// splittable pseudorandom number generators", OOPSLA 2014).
///
/// ```
/// use punctual_sim::random::Random;
///
/// let mut random = Random::new(0);
/// assert_eq!(random.next_u64(), 0xe220_a839_7b1d_cdaf); // the published first output of seed 0
/// assert!((10..20).contains(&random.between(10, 19)));
/// ```
#[derive(Debug, Clone)]
pub struct Random {
    state: u64,
}

/// The golden ratio in 64 bits: the paper's increment.
const INCREMENT: u64 = 0x9e37_79b9_7f4a_7c15;

/// The paper's finishing step: every bit of the result depends on every bit of the input.
pub(crate) fn mix(state: u64) -> u64 {
    let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// One of many streams of a seed: numbers drawn for one purpose leave those of another alone.
    pub fn stream(seed: u64, purpose: u64) -> Self {
        Self::new(mix(mix(seed).wrapping_add(purpose.wrapping_mul(INCREMENT))))
    }

    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(INCREMENT);
        mix(self.state)
    }

    /// A number from `least` to `most`, both included, each as likely (to within one in 2^64).
    pub fn between(&mut self, least: u64, most: u64) -> u64 {
        let count = u128::from(most.saturating_sub(least)) + 1;
        least + high(u128::from(self.next_u64()) * count)
    }

    /// A waiting time whose end comes at any moment with the same likelihood, of this mean.
    ///
    /// Drawn by comparing uniform numbers (von Neumann, "Various techniques used in connection with
    /// random digits", 1951): exact, and without a logarithm.
    pub fn exponential(&mut self, mean: u64) -> u64 {
        let mut whole = 0_u128;
        loop {
            let first = self.next_u64();
            let (mut last, mut length) = (first, 1_u32);
            loop {
                let next = self.next_u64();
                if next >= last {
                    break;
                }
                (last, length) = (next, length + 1);
            }
            if length % 2 == 1 {
                let units = whole << 64 | u128::from(first);
                let scaled = units.saturating_mul(u128::from(mean));
                return high(scaled);
            }
            whole += 1;
        }
    }
}

fn high(product: u128) -> u64 {
    u64::try_from(product >> 64).unwrap_or(u64::MAX)
}

/// A duration that varies: a least one, and an exponential excess that is cut off.
///
/// ```
/// use punctual_sim::random::{Random, Spread};
/// use std::time::Duration;
///
/// let microsecond = Duration::from_micros(1);
/// let spread = Spread::new(microsecond, 5 * microsecond, 100 * microsecond);
/// let drawn = spread.draw(&mut Random::new(1));
/// assert!((microsecond..=101 * microsecond).contains(&drawn));
/// assert_eq!(Spread::exactly(microsecond).draw(&mut Random::new(1)), microsecond);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spread {
    least: u64,
    mean_excess: u64,
    most_excess: u64,
}

impl Spread {
    /// Always the same.
    pub fn exactly(duration: Duration) -> Self {
        Self::new(duration, Duration::ZERO, Duration::ZERO)
    }

    /// At least `least`; what exceeds it has the mean `mean_excess` and is never more than
    /// `most_excess`.
    pub fn new(least: Duration, mean_excess: Duration, most_excess: Duration) -> Self {
        Self {
            least: nanos(least),
            mean_excess: nanos(mean_excess),
            most_excess: nanos(most_excess),
        }
    }

    /// The next duration.
    pub fn draw(&self, random: &mut Random) -> Duration {
        Duration::from_nanos(self.draw_nanos(random))
    }

    #[inline]
    pub(crate) fn draw_nanos(&self, random: &mut Random) -> u64 {
        if self.mean_excess == 0 {
            return self.least;
        }
        let excess = random.exponential(self.mean_excess);
        self.least.saturating_add(excess.min(self.most_excess))
    }
}

/// In nanoseconds; more than 584 years are 584 years.
#[inline]
pub(crate) fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponential_has_its_mean_and_its_shape() {
        let mut random = Random::new(7);
        let drawn: Vec<u64> = (0..100_000)
            .map(|_| random.exponential(1_000_000))
            .collect();
        let mean = drawn.iter().sum::<u64>() / 100_000;
        assert!((990_000..1_010_000).contains(&mean), "{mean}");
        // A share of 1/e exceeds the mean: 36,788 of 100,000; four deviations are 610.
        let beyond = drawn.iter().filter(|drawn| **drawn > 1_000_000).count();
        assert!((36_178..37_398).contains(&beyond), "{beyond}");
    }

    #[test]
    fn between_reaches_both_ends_and_nothing_else() {
        let mut random = Random::new(7);
        let mut seen = [false; 4];
        for _ in 0..1_000 {
            seen[usize::try_from(random.between(10, 13) - 10).unwrap()] = true;
        }
        assert_eq!(seen, [true; 4]);
        assert_eq!(random.between(u64::MAX, u64::MAX), u64::MAX);
        random.between(0, u64::MAX);
    }

    #[test]
    fn streams_of_one_seed_differ() {
        let first = |purpose| Random::stream(1, purpose).next_u64();
        assert_ne!(first(0), first(1));
        assert_ne!(first(0), Random::stream(2, 0).next_u64());
    }
}
