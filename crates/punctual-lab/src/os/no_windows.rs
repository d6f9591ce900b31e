//! Systems other than Windows.

use crate::machine::OnWindows;
use punctual::Error;

/// Does it on the Windows that this program runs on.
///
/// # Errors
/// [Unsupported](Error::is_unsupported) if this is not Windows.
pub fn on_windows<T: OnWindows>(what: T) -> Result<T::Output, Error> {
    let _ = what;
    Err(Error::unsupported(
        "this system has no timer interval to request: each of its timers has an interrupt of its \
         own",
    ))
}
