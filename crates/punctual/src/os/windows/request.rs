//! A request for timer interrupts as close together as the system allows.

use super::shared::Shared;
use super::{Win32, Win32Error};
use crate::Error;
use std::fmt;
use std::sync::Arc;

/// Timer interrupts come as close together as `timeBeginPeriod` can make them, on most machines
/// every millisecond, until this is dropped.
///
/// A precise wait that has no better means makes one for itself, for as long as it lasts, and a
/// [`Sleeper`](crate::Sleeper) that makes short waits holds one from one to the next: a change of
/// the interval takes effect at the next tick, so that a request which came and went with each wait
/// would begin every one with a long tick. Computed by that rule, a loop of 10 ms that works for
/// 1.5 ms would be woken 6.6 ms late on Windows 7 in the median, and is woken 0.6 ms late under a
/// request that stays. Make one of your own around waits that are not a sleeper's.
///
/// It costs power on the whole machine, and up to Windows 10 version 1909 it speeds up every
/// process's ticks, so drop it when the loop ends.
///
/// While any is held, the process opts out of Windows 11's rule that ignores the requests of
/// programs whose windows nobody sees.
///
/// The requests of a process are counted by Windows, so any number may be held at once. There is
/// no way to ask for half a millisecond here: `NtSetTimerResolution` can, but it is undocumented
/// and knows one request for each process, which it would take away from `timeBeginPeriod`.
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
