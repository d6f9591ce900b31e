//! What ends a run: bad input, or something that broke while it ran.

use std::error::Error;

/// A run that began and could not be finished.
pub type Failure = Box<dyn Error>;
