//! A process as a Windows trace names it: `game.exe (1234)`.

use std::collections::HashMap;
use std::fmt;

/// A process.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Process {
    /// The name of its program.
    pub name: String,
    /// Its number. Some traces have -1 for one they know nothing of.
    pub number: i64,
}

impl Process {
    /// The one whose threads run when a processor has nothing to do.
    pub(super) fn idle() -> Self {
        Self {
            name: "Idle".to_owned(),
            number: 0,
        }
    }

    /// One that the trace does not name.
    pub(super) fn unknown() -> Self {
        Self {
            name: "Unknown".to_owned(),
            number: -1,
        }
    }

    /// Reads one. `None` if it has no number in parentheses.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (name, rest) = text.trim().rsplit_once('(')?;
        let number = rest.strip_suffix(')')?.trim().parse().ok()?;
        let name = name.trim().trim_matches('"').to_owned();
        Some(Self { name, number })
    }
}

impl fmt::Display for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({:4})", self.name, self.number)
    }
}

/// A process, by its place among all of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ProcessIndex(u32);

/// The processes of a trace, each once.
#[derive(Debug, Default)]
pub(super) struct Processes {
    all: Vec<Process>,
    index: HashMap<Process, ProcessIndex>,
}

impl Processes {
    pub(super) fn index(&mut self, process: Process) -> ProcessIndex {
        if let Some(&index) = self.index.get(&process) {
            return index;
        }
        let index = u32::try_from(self.all.len()).expect("processes fit into memory");
        let index = ProcessIndex(index);
        self.all.push(process.clone());
        self.index.insert(process, index);
        index
    }

    pub(super) fn get(&self, ProcessIndex(index): ProcessIndex) -> &Process {
        &self.all[index as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_be_read() {
        let parsed = Process::parse("  \"some (odd) name.exe\" (  12)");
        let expected = Process {
            name: "some (odd) name.exe".to_owned(),
            number: 12,
        };
        assert_eq!(parsed, Some(expected.clone()));
        assert_eq!(Process::parse(&expected.to_string()), parsed);
        assert_eq!(Process::parse("Idle"), None);
    }
}
