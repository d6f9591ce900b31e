//! Recorded wake-up latencies: nanoseconds, one per line, in the order they happened.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// One recording.
#[derive(Debug, Clone)]
pub struct Trace {
    pub name: String,
    pub period_ns: u64,
    pub latencies_ns: Vec<u64>,
}

/// What a wait met, in nanoseconds.
#[derive(Debug, Clone, Copy, Default)]
pub struct Met {
    pub latency_ns: u64,
    /// How long after the deadline its spin ended, if it was woken before.
    pub overrun_ns: u64,
}

/// Waits that can be made again with other margins.
pub trait Recorded {
    fn name(&self) -> &str;
    fn period_ns(&self) -> u64;
    fn waits(&self) -> usize;
    /// What the wait of this turn meets if it is woken so many nanoseconds early.
    fn met(&self, turn: usize, margin: u64) -> Met;
}

impl Recorded for Trace {
    fn name(&self) -> &str {
        &self.name
    }

    fn period_ns(&self) -> u64 {
        self.period_ns
    }

    fn waits(&self) -> usize {
        self.latencies_ns.len()
    }

    fn met(&self, turn: usize, _: u64) -> Met {
        Met {
            latency_ns: self.latencies_ns[turn],
            overrun_ns: 0,
        }
    }
}

/// Why a file is no trace.
#[derive(Debug)]
pub enum Malformed {
    Unreadable(PathBuf, io::Error),
    Line(PathBuf, usize, String),
    Block(PathBuf, usize, String),
    Empty(PathBuf),
    NoPeriod(PathBuf),
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Line(path, number, line) => write!(
                f,
                "{}:{number}: {line:?} is not a latency in whole nanoseconds",
                path.display()
            ),
            Self::Block(path, number, beginning) => write!(
                f,
                "{}:{number}: {beginning:?} does not begin a block: a slice in microseconds or \
                 `default`, a margin in microseconds, and tenths of microseconds such as 173, \
                 173+52 or -",
                path.display()
            ),
            Self::Empty(path) => write!(f, "{}: no latencies in it", path.display()),
            Self::NoPeriod(path) => write!(
                f,
                "{}: its name does not end in the period, like -1ms.txt; say it with --period",
                path.display()
            ),
        }
    }
}

impl std::error::Error for Malformed {}

/// The latencies in the text of a file.
pub fn latencies(path: &Path, text: &str) -> Result<Vec<u64>, Malformed> {
    let latency = |(index, line): (usize, &str)| {
        let malformed = |_| Malformed::Line(path.to_owned(), index + 1, line.to_owned());
        line.parse().map_err(malformed)
    };
    let latencies: Vec<u64> = text
        .lines()
        .enumerate()
        .map(latency)
        .collect::<Result<_, _>>()?;
    if latencies.is_empty() {
        return Err(Malformed::Empty(path.to_owned()));
    }
    Ok(latencies)
}

/// The period that a name ends in, such as `-16ms` or `-0.25ms`.
pub fn period_in(name: &str) -> Option<u64> {
    let (_, millis) = name.strip_suffix("ms")?.rsplit_once('-')?;
    period_from_millis(millis)
}

/// A period in nanoseconds from a number of milliseconds, up to an hour; none for anything else.
pub fn period_from_millis(millis: &str) -> Option<u64> {
    let nanos = (millis.parse::<f64>().ok()? * 1e6).round();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number, and in range"
    )]
    (1.0..=3.6e12).contains(&nanos).then_some(nanos as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_ends_in_the_period() {
        assert_eq!(period_in("idle-slack1ns-16ms"), Some(16_000_000));
        assert_eq!(period_in("busy-0.25ms"), Some(250_000));
        for none in [
            "idle",
            "idle-ms",
            "idle-0ms",
            "1ms",
            "idle--1s",
            "idle-NaNms",
        ] {
            assert_eq!(period_in(none), None, "{none}");
        }
    }

    #[test]
    fn a_malformed_line_is_named() {
        let path = Path::new("somewhere/idle-1ms.txt");
        for (text, number) in [("1\n2\n\n", 3), ("1\n-2\n", 2), ("1.5\n", 1), ("a\n", 1)] {
            let refused = latencies(path, text).unwrap_err().to_string();
            let place = format!("somewhere/idle-1ms.txt:{number}: ");
            assert!(refused.starts_with(&place), "{refused}");
        }
        assert!(matches!(latencies(path, ""), Err(Malformed::Empty(_))));
        assert_eq!(latencies(path, "3\n4").unwrap(), [3, 4]);
    }
}
