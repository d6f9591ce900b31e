//! Runs code for any Windows on the one that this program runs on.

use crate::Native;
use crate::machine::OnWindows;
use punctual::Error;

/// Does it on the Windows that this program runs on.
///
/// # Errors
/// [Unsupported](Error::is_unsupported) if this is not Windows.
pub fn on_windows<T: OnWindows>(what: T) -> Result<T::Output, Error> {
    Ok(what.on(&Native::detect()?))
}
