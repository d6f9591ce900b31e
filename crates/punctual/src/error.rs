//! The one error type of this crate.

use alloc::string::String;
use alloc::sync::Arc;
use core::convert::Infallible;
use core::error::Error as StdError;
use core::fmt;

/// The error type of this crate. Its message is a sentence that says what to do.
///
/// Predicates tell the kinds apart, so that a new kind breaks no caller. If the operating system
/// refused, [`source`](StdError::source) is the system's error, an `std::io::Error` if it has a
/// number. The message includes it.
///
/// ```
/// use punctual::Period;
///
/// let error = Period::try_from_hertz(0).unwrap_err();
/// assert!(error.is_invalid_input());
/// ```
#[derive(Debug, Clone)]
pub struct Error {
    kind: Kind,
    message: String,
    source: Option<Arc<dyn StdError + Send + Sync>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    InvalidInput,
    NotPermitted,
    Unsupported,
    System,
}

/// Whether it is of a certain kind.
impl Error {
    /// Whether an argument was invalid.
    pub fn is_invalid_input(&self) -> bool {
        self.kind == Kind::InvalidInput
    }

    /// Whether a privilege is missing; the message names it.
    pub fn is_not_permitted(&self) -> bool {
        self.kind == Kind::NotPermitted
    }

    /// Whether the system lacks the feature.
    pub fn is_unsupported(&self) -> bool {
        self.kind == Kind::Unsupported
    }

    /// Whether the system failed at something that it supports and permits.
    pub fn is_system(&self) -> bool {
        self.kind == Kind::System
    }
}

/// For those who make machines: nothing else makes errors.
#[doc(hidden)]
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

    /// The same, because of this.
    #[must_use]
    pub fn because_of(mut self, source: impl StdError + Send + Sync + 'static) -> Self {
        self.source = Some(Arc::new(source));
        self
    }

    fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            source: None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        let source = self.source.as_deref()?;
        Some(source)
    }
}

/// What cannot fail never does: so that a [`Period`](crate::Period) is taken where a
/// [`Duration`](core::time::Duration) is.
impl From<Infallible> for Error {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}
