//! What ends a run: bad input, or something that broke while it ran.

/// A run that began and could not be finished.
pub type Failure = Box<dyn std::error::Error>;
