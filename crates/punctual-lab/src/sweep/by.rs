//! Who asks for the interval.

use super::Problem;
use crate::machine::Request;
use punctual::Error;
use punctual::os::windows::Win32Lab;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Who asks for the interval while a process measures its own waits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// Another process.
    #[default]
    Other,
    /// The process itself.
    #[serde(rename = "self")]
    Own,
    /// The process that started it, on its children's behalf. No version of Windows is known to hand
    /// a request on to children; on simulated machines this is another process, whose request is
    /// there first.
    Parent,
}

impl By {
    /// All there are.
    pub const ALL: [Self; 3] = [Self::Other, Self::Own, Self::Parent];

    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::Other => "other",
            Self::Own => "self",
            Self::Parent => "parent",
        }
    }

    /// Does something, under a request of this process's own if it is this process that asks.
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
                "'{text}' is nobody; there are other, self and parent"
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
