//! Which percentile of lateness is compared.

use std::fmt;
use std::str::FromStr;

/// A percentile, in thousandths of a percent, so that it is exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Percentile(u32);

impl Percentile {
    /// The median.
    pub const P50: Self = Self(50_000);
    /// 99 of 100 wake-ups are at most this late.
    pub const P99: Self = Self(99_000);
    /// 999 of 1,000 wake-ups are at most this late.
    pub const P999: Self = Self(99_900);

    /// The share of wake-ups that are at most this late, between 0 and 1.
    pub fn share(self) -> f64 {
        f64::from(self.0) / 100_000.0
    }

    /// How many wake-ups a machine needs before one of them is later than this percentile.
    pub fn fewest(self) -> f64 {
        1.0 / (1.0 - self.share())
    }
}

impl fmt::Display for Percentile {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "p{}", f64::from(self.0) / 1_000.0)
    }
}

impl FromStr for Percentile {
    type Err = String;

    /// Reads `p99.9` or `99.9`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || "give a percentile between p1 and p99.999, such as p50 or p99.9".to_owned();
        let digits = text.strip_prefix('p').unwrap_or(text);
        let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
        let is_number =
            |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number(whole) || !is_number(part) || whole.len() > 2 || part.len() > 3 {
            return Err(wrong());
        }
        let thousandths: u32 = format!("{whole}{part:0<3}").parse().map_err(|_| wrong())?;
        match thousandths {
            1_000..=99_999 => Ok(Self(thousandths)),
            _ => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for text in ["p50", "p99", "p99.9", "p99.999", "p1", "p12.5"] {
            assert_eq!(text.parse::<Percentile>().unwrap().to_string(), text);
        }
        assert_eq!("99.9".parse(), Ok(Percentile::P999));
        assert_eq!(Percentile::P50.share(), 0.5);
        for text in [
            "", "p", "p0", "p0.5", "p100", "p99.9999", "-5", "p5e1", "p.5", "p5.", "p+5",
        ] {
            assert!(text.parse::<Percentile>().is_err(), "{text}");
        }
    }
}
