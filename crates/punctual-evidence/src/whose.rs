//! Whose a tolerance is.

use serde::Deserialize;
use std::fmt;

/// Whose a tolerance is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Whose {
    /// Not published.
    Ours,
    /// Published with the number.
    Source,
    /// The numbers are exact.
    None,
}

impl fmt::Display for Whose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ours => "ours",
            Self::Source => "source",
            Self::None => "none",
        })
    }
}
