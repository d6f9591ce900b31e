//! The one error type of this crate.

use alloc::string::String;
use core::fmt;

/// Why something could not be done. The message is a sentence that says what to do about it.
///
/// The kinds are told apart by predicates, so that a kind may be added without breaking a caller.
///
/// ```
/// use punctual::Period;
///
/// let error = Period::from_hertz(0).unwrap_err();
/// assert!(error.is_invalid_input());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    kind: Kind,
    message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    InvalidInput,
    NotPermitted,
    Unsupported,
    System,
}

impl Error {
    /// An argument that no call with these meanings could accept.
    pub fn invalid_input(message: impl Into<String>) -> Self {
        Self::new(Kind::InvalidInput, message)
    }

    /// The system has this, and refuses it to this process.
    pub fn not_permitted(message: impl Into<String>) -> Self {
        Self::new(Kind::NotPermitted, message)
    }

    /// The system, or this version of it, does not have this.
    pub fn unsupported(message: impl Into<String>) -> Self {
        Self::new(Kind::Unsupported, message)
    }

    /// The system failed at something it has and permits, such as running out of threads.
    pub fn system(message: impl Into<String>) -> Self {
        Self::new(Kind::System, message)
    }

    fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
        }
    }

    /// Whether an argument was refused.
    pub fn is_invalid_input(&self) -> bool {
        self.kind == Kind::InvalidInput
    }

    /// Whether a privilege is missing; the message names it.
    pub fn is_not_permitted(&self) -> bool {
        self.kind == Kind::NotPermitted
    }

    /// Whether the system does not have what was asked for.
    pub fn is_unsupported(&self) -> bool {
        self.kind == Kind::Unsupported
    }

    /// Whether the system failed at something it has and permits.
    pub fn is_system(&self) -> bool {
        self.kind == Kind::System
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for Error {}
