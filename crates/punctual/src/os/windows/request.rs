//! A request for timer interrupts as close together as the system allows.

use super::shared::Shared;
use super::{Win32, Win32Error};
use crate::Error;
use std::fmt;
use std::sync::Arc;

/// A request for the shortest timer interval of `timeBeginPeriod`, one millisecond on most machines,
/// until this is dropped.
///
/// A precise wait without high-resolution timers makes a request for as long as it lasts. A
/// [`Sleeper`](crate::Sleeper) with short waits holds one between them. A change of the interval takes
/// effect at the next tick, so if each wait made its own request, every wait would begin with a long
/// tick. By that rule, a loop of 10 ms that works for 1.5 ms would be woken 6.6 ms late on Windows 7 in
/// the median. Under a lasting request it is woken 0.6 ms late. Make a request of your own for waits
/// without a sleeper.
///
/// It costs power on the whole machine, and up to Windows 10 version 1909 it shortens the interval for
/// every process. So drop it when the loop ends.
///
/// While a request is held, the process opts out of a rule of Windows 11, which ignores the requests of
/// programs without a visible window.
///
/// Windows counts the requests of a process, so any number may be held at once. Half a millisecond is
/// not offered: `NtSetTimerResolution` has it, but it is undocumented and knows only one request per
/// process, which it would take away from `timeBeginPeriod`.
///
/// ```
/// # #[cfg(feature = "machines")] {
/// use punctual::Error;
/// use punctual::os::windows::{Win32, WindowsOs};
///
/// fn precisely<W: Win32>(os: &WindowsOs<W>, wait: impl Fn()) -> Result<(), Error> {
///     let _request = os.request()?;
///     wait();
///     Ok(())
/// }
/// # }
/// ```
#[must_use = "the request ends when it is dropped"]
pub struct Request<W: Win32> {
    shared: Arc<Shared<W>>,
}

impl<W: Win32> Request<W> {
    pub(super) fn make(shared: &Arc<Shared<W>>) -> Result<Self, Win32Error> {
        // Opting out comes first: a wait belongs with the requesting ones from its arming on.
        shared.throttling.hold(&shared.win32);
        let begun = shared.win32.time_begin_period(shared.request_period);
        if let Err(error) = begun {
            shared.throttling.release(&shared.win32);
            return Err(error);
        }
        Ok(Self {
            shared: Arc::clone(shared),
        })
    }
}

/// For callers who are to be told.
pub(super) fn refused(error: Win32Error) -> Error {
    let refusal = Error::system(format!(
        "the system refuses a higher timer resolution ({error}); waits are as coarse as its ticks"
    ));
    refusal.because_of(error)
}

impl<W: Win32> Drop for Request<W> {
    fn drop(&mut self) {
        let Shared {
            win32,
            throttling,
            request_period,
            ..
        } = &*self.shared;
        // It was begun with this number, so it can be ended with it.
        let _ = win32.time_end_period(*request_period);
        throttling.release(win32);
    }
}

impl<W: Win32> fmt::Debug for Request<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("milliseconds", &self.shared.request_period)
            .finish_non_exhaustive()
    }
}
