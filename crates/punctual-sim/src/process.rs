//! What names a simulated process, and how it ends.

use std::fmt;

/// Identifies a simulated process, also after it has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcessId {
    pub(crate) index: u32,
    pub(crate) generation: u32,
}

impl ProcessId {
    /// A small number for tables. No two living processes share it, and later processes reuse it.
    pub fn index(self) -> usize {
        self.index as usize
    }
}

/// How a process ended. In each case, everything that it held is released.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exit {
    /// Its main thread returned, or it ended itself.
    Returned,
    /// One of its threads panicked.
    Panicked {
        /// The thread's name.
        thread: String,
        /// What it panicked with.
        message: String,
    },
    /// It was killed.
    Killed,
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Returned => f.write_str("returned"),
            Self::Panicked { thread, message } => {
                write!(f, "thread {thread:?} panicked: {message}")
            }
            Self::Killed => f.write_str("was killed"),
        }
    }
}
