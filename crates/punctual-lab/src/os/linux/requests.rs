//! Requests for a timer interval: Linux has none to ask for.

use punctual::Error;
use std::time::Duration;

/// Whether programs can ask for a timer interval.
///
/// # Errors
/// Says why not.
pub(crate) fn ensure_possible() -> Result<(), Error> {
    Err(Error::unsupported(
        "nobody can ask Linux for a timer interval: each of its timers has an interrupt of its own",
    ))
}

/// Asks for a timer interval, until what it returns is dropped or the process ends.
///
/// # Errors
/// As [`ensure_possible`].
pub(crate) fn hold(_: Duration) -> Result<impl Sized, Error> {
    ensure_possible()
}
