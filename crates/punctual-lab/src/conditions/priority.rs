//! The priority of the waiting thread, as a question holds it.

use punctual::Error;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The priority of the waiting thread. Written as `normal`, `high` or `realtime`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Priority {
    /// Unchanged.
    #[default]
    Normal,
    /// [`punctual::Priority::High`].
    High,
    /// [`punctual::Priority::Realtime`].
    Realtime,
}

impl Priority {
    /// All priorities.
    pub const ALL: [Self; 3] = [Self::Normal, Self::High, Self::Realtime];

    /// What the thread is raised to; `None` if it is not raised.
    pub fn raised(self) -> Option<punctual::Priority> {
        match self {
            Self::Normal => None,
            Self::High => Some(punctual::Priority::High),
            Self::Realtime => Some(punctual::Priority::Realtime),
        }
    }

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::High => "high",
            Self::Realtime => "realtime",
        }
    }
}

impl fmt::Display for Priority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Priority {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let named = Self::ALL
            .into_iter()
            .find(|priority| priority.name() == text);
        named.ok_or_else(|| {
            Error::invalid_input(format!(
                "there is no priority '{text}'; there are normal, high and realtime"
            ))
        })
    }
}
