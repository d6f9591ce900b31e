//! The process that requests the interval.

use super::Problem;
use crate::machine::Request;
use punctual::Error;
use punctual_windows::os::windows::Win32Lab;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The process that requests the interval while a process measures its own waits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// Another process.
    #[default]
    Other,
    /// The process itself.
    #[serde(rename = "self")]
    Own,
    /// The parent process, for its children. No version of Windows is known to pass a request on to
    /// child processes. On simulated machines this is another process that has already made its
    /// request.
    Parent,
}

impl By {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Other, Self::Own, Self::Parent];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Other => "other",
            Self::Own => "self",
            Self::Parent => "parent",
        }
    }

    /// Calls `body`, under a request of this process if this process is the requester.
    pub(crate) fn while_asking<W: Win32Lab, T>(
        self,
        win32: &W,
        interval: Duration,
        body: impl FnOnce() -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        if self != Self::Own {
            return body();
        }
        let request = Request::of(interval);
        request.begin(win32).map_err(Problem::Refused)?;
        let found = body();
        request.end(win32).map_err(Problem::Refused)?;
        found
    }
}

impl FromStr for By {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let named = Self::ALL.into_iter().find(|by| by.name() == text);
        named.ok_or_else(|| {
            Error::invalid_input(format!(
                "'{text}' is not a requester; there are other, self and parent"
            ))
        })
    }
}

/// As in "while another process requests".
impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Other => "another process",
            Self::Own => "this process itself",
            Self::Parent => "its parent process",
        })
    }
}
