//! What a machine lacks.

use serde::{Deserialize, Serialize};

/// Something that was requested and that the machine lacks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unavailable {
    /// Its name.
    pub name: String,
    /// Why it could not be tried.
    pub reason: String,
}
