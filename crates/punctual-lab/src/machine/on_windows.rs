//! What can be done on a Windows, whichever it is.

use punctual::os::windows::{Win32Lab, WindowsOs};

/// Something to do on a Windows, real or simulated.
pub trait OnWindows {
    /// What comes of it.
    type Output;

    /// Does it.
    fn on<W: Win32Lab>(self, os: &WindowsOs<W>) -> Self::Output;
}
