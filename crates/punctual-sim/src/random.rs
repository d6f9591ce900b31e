//! Random numbers that are the same on every computer and with every version of every crate, so that
//! a seed always simulates the same. They use only integers, because a logarithm may round differently
//! on another computer.

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

/// Sums of `ln(2)^k / k!` from k = 1 on, in units of 2^-64; the first is a half-life. What is beyond
/// the last is less likely than 2^-60.
const AT_MOST: [u64; 16] = [
    0xb172_17f7_d1cf_79ab,
    0xeef1_93f6_d75a_96fc,
    0xfd27_1862_59aa_f6c2,
    0xff9d_6dd0_50f4_c5a7,
    0xfff4_cfcf_ef1e_626b,
    0xfffe_e818_86e1_c62f,
    0xffff_e7fe_850e_0bb5,
    0xffff_fe2a_8731_b17d,
    0xffff_ffdf_ac6e_eadc,
    0xffff_fffd_f964_0067,
    0xffff_ffff_e22e_c79c,
    0xffff_ffff_fe6a_9ded,
    0xffff_ffff_ffeb_ff81,
    0xffff_ffff_ffff_1417,
    0xffff_ffff_ffff_f5ce,
    0xffff_ffff_ffff_ff95,
];

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

    /// A random duration of an exponential distribution with this mean: its end comes at every moment
    /// with the same probability.
    ///
    /// Drawn by comparing uniform numbers (algorithm SA of Ahrens and Dieter, "Computer methods for
    /// sampling from the exponential and normal distributions", 1972): exact to 62 bits, and without
    /// a logarithm.
    #[inline]
    pub fn exponential(&mut self, mean: u64) -> u64 {
        // How many half-lives are survived, each as likely as not, and what is left of the number.
        let drawn = self.next_u64() | 1;
        let half_lives = drawn.leading_zeros();
        let rest = drawn << half_lives << 1;
        let part = if rest <= AT_MOST[0] {
            rest
        } else {
            self.rest_of_half_life(rest)
        };
        let units = u128::from(half_lives) * u128::from(AT_MOST[0]) + u128::from(part);
        high(units.saturating_mul(u128::from(mean)))
    }

    /// The part of a half-life for a uniform number that is beyond it: the least of the more numbers
    /// the further beyond.
    #[inline(never)]
    fn rest_of_half_life(&mut self, drawn: u64) -> u64 {
        let mut least = self.next_u64();
        for most in &AT_MOST[1..] {
            least = least.min(self.next_u64());
            if drawn <= *most {
                break;
            }
        }
        high(u128::from(least) * u128::from(AT_MOST[0]))
    }
}

fn high(product: u128) -> u64 {
    u64::try_from(product >> 64).unwrap_or(u64::MAX)
}

/// A random duration: a minimum, plus an exponential excess with a maximum.
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
    /// Always zero.
    pub(crate) const NONE: Self = Self {
        least: 0,
        mean_excess: 0,
        most_excess: 0,
    };

    /// A duration that is always the same.
    pub fn exactly(duration: Duration) -> Self {
        Self::new(duration, Duration::ZERO, Duration::ZERO)
    }

    /// A duration of at least `least`. The excess over it has the mean `mean_excess` and is at most
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
        // Shares of e^-x exceed x times the mean, of 100,000 to within four deviations.
        for (beyond, expected, deviation) in [
            (100_000, 90_484, 93),
            (693_147, 50_000, 158),
            (1_000_000, 36_788, 152),
            (3_000_000, 4_979, 69),
            (6_000_000, 248, 16),
        ] {
            let count = drawn.iter().filter(|drawn| **drawn > beyond).count();
            assert!(
                count.abs_diff(expected) <= 4 * deviation,
                "{count} of {expected} beyond {beyond}"
            );
        }
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
