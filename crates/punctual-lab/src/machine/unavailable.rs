//! What a machine lacks.

use serde::{Deserialize, Serialize};

/// Something that was asked for and that the machine does not have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unavailable {
    /// Its name.
    pub name: String,
    /// Why it could not be tried.
    pub reason: String,
}
