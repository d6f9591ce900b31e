//! Systems that are no Windows.

use crate::machine::OnWindows;
use punctual::Error;

/// Does it on the Windows this program runs on.
///
/// # Errors
/// [Unsupported](Error::is_unsupported) where this is no Windows.
pub fn on_windows<T: OnWindows>(what: T) -> Result<T::Output, Error> {
    let _ = what;
    Err(Error::unsupported(
        "this system has no timer interval to ask for: each of its timers has an interrupt of its \
         own",
    ))
}
