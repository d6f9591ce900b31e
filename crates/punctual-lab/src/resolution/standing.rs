//! This process's standing with the Windows that it runs on.

use super::{OnWindows, native};
use crate::conditions::{Standing, Throttling, standing};
use punctual::Error;
use punctual::os::windows::WindowsOs;
use punctual_windows::os::windows::Win32Lab;

/// Makes this process stand so, until it ends. Call it before
/// [`Native::detect`](crate::Native::detect): a machine remembers what it finds, and puts that back
/// after its own requests.
///
/// # Errors
/// [Unsupported](Error::is_unsupported) if this is not Windows 11, or if the process is to be hidden.
pub fn assume(standing: Standing) -> Result<(), Error> {
    if standing.hidden {
        return Err(standing::not_hidden());
    }
    match standing.throttling {
        None => Ok(()),
        Some(throttling) => native(Tell(throttling))?,
    }
}

struct Tell(Throttling);

impl OnWindows for Tell {
    type Output = Result<(), Error>;

    fn on<W: Win32Lab>(self, os: &WindowsOs<W>) -> Self::Output {
        standing::tell(self.0, os.win32())
    }
}
