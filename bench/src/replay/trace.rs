//! Recorded wake-up latencies: nanoseconds, one per line, in the order they happened.

use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// One recording.
#[derive(Debug, Clone)]
pub struct Trace {
    pub name: String,
    pub period_ns: u64,
    pub latencies_ns: Vec<u64>,
}

/// Why a file is no trace.
#[derive(Debug)]
pub enum Malformed {
    Unreadable(PathBuf, io::Error),
    Line(PathBuf, usize, String),
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

/// Where the recordings that come with Punctual are.
const RECORDED: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../crates/punctual/tests/traces"
);

/// All recordings that come with Punctual, by name.
pub fn recorded() -> Result<Vec<PathBuf>, Malformed> {
    let folder = Path::new(RECORDED);
    let unreadable = |error| Malformed::Unreadable(folder.to_owned(), error);
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension() == Some(OsStr::new("txt")) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

impl Trace {
    /// Reads a file. Without a period, its name says it.
    pub fn read(path: &Path, period_ns: Option<u64>) -> Result<Self, Malformed> {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let period_ns = period_ns
            .or_else(|| period_in(&name))
            .ok_or_else(|| Malformed::NoPeriod(path.to_owned()))?;
        let text = fs::read_to_string(path)
            .map_err(|error| Malformed::Unreadable(path.to_owned(), error))?;
        Ok(Self {
            period_ns,
            latencies_ns: latencies(path, &text)?,
            name: name.into_owned(),
        })
    }
}

fn latencies(path: &Path, text: &str) -> Result<Vec<u64>, Malformed> {
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
fn period_in(name: &str) -> Option<u64> {
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

    #[test]
    fn the_recordings_that_come_with_punctual_are_traces() {
        let paths = recorded().unwrap();
        assert!(!paths.is_empty());
        for path in paths {
            assert!(Trace::read(&path, None).is_ok(), "{}", path.display());
        }
    }
}
