//! The files of recordings: which there are, and what is in them.

use super::policies::Policies;
use super::trace::{self, Malformed, Trace};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// A file of either kind.
#[derive(Debug, Clone)]
pub enum Recording {
    Latencies(Trace),
    Policies(Policies),
}

/// What the names of recordings under several policies end in.
pub const POLICIES: &str = "policies";

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
        if [OsStr::new("txt"), OsStr::new(POLICIES)].contains(&path.extension().unwrap_or_default())
        {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

impl Recording {
    /// Reads a file. Without a period, its name says it.
    pub fn read(path: &Path, period_ns: Option<u64>) -> Result<Self, Malformed> {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let period_ns = period_ns
            .or_else(|| trace::period_in(&name))
            .ok_or_else(|| Malformed::NoPeriod(path.to_owned()))?;
        let text = fs::read_to_string(path)
            .map_err(|error| Malformed::Unreadable(path.to_owned(), error))?;
        let name = name.into_owned();
        if path.extension() == Some(OsStr::new(POLICIES)) {
            return Policies::parse(path, name, period_ns, &text).map(Self::Policies);
        }
        Ok(Self::Latencies(Trace {
            name,
            period_ns,
            latencies_ns: trace::latencies(path, &text)?,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recordings_that_come_with_punctual_are_traces() {
        let paths = recorded().unwrap();
        assert!(!paths.is_empty());
        for path in paths {
            assert!(Recording::read(&path, None).is_ok(), "{}", path.display());
        }
    }
}
