//! The Windows this program runs on, for what is written for every Windows.

use crate::Native;
use crate::machine::OnWindows;
use punctual::Error;

/// Does it on the Windows this program runs on.
///
/// # Errors
/// [Unsupported](Error::is_unsupported) where this is no Windows.
pub fn on_windows<T: OnWindows>(what: T) -> Result<T::Output, Error> {
    Ok(what.on(&Native::detect()?))
}
