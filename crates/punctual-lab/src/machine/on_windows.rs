//! Code that runs on any Windows, real or simulated.

use punctual::os::windows::WindowsOs;
use punctual_windows::os::windows::Win32Lab;

/// Something to do on a Windows, real or simulated.
pub trait OnWindows {
    /// The result.
    type Output;

    /// Does it.
    fn on<W: Win32Lab>(self, os: &WindowsOs<W>) -> Self::Output;
}
