//! A timer that sends a message, and the loop that receives it.

use super::{MILLISECOND, offer};
use crate::machine::{Call, CallOffer};
use crate::methods::windows::{milliseconds, unavailable};
use punctual::Error;
use punctual::os::windows::WindowsOs;
use punctual_windows::mechanisms::SET_TIMER;
use punctual_windows::os::windows::{TimerId, WM_QUIT, WM_TIMER, Win32Lab};
use std::time::Duration;

/// <https://learn.microsoft.com/en-us/windows/win32/api/winuser/nf-winuser-settimer>
pub(super) fn set_timer<W: Win32Lab>() -> CallOffer<WindowsOs<W>> {
    offer(SET_TIMER, MILLISECOND, |os| {
        Ok(Messages(os.win32().clone()))
    })
}

struct Messages<W>(W);

impl<W: Win32Lab> Messages<W> {
    /// Waits for the timer's next message and skips others.
    fn await_message(&self, timer: TimerId) -> Result<(), Error> {
        loop {
            let found = self.0.get_message().map_err(unavailable("GetMessage"))?;
            match found.message {
                WM_TIMER if found.w_param == timer.0 => return Ok(()),
                WM_QUIT => return Err(Error::system("the thread was told to quit")),
                _ => {}
            }
        }
    }
}

impl<W: Win32Lab> Call for Messages<W> {
    /// Each call makes a timer and ends it: such a timer is periodic.
    fn call(&mut self, duration: Duration) -> Result<(), Error> {
        let timer = self
            .0
            .set_timer(milliseconds(duration))
            .map_err(unavailable("SetTimer"))?;
        let came = self.await_message(timer);
        // A running timer can be ended.
        let _ = self.0.kill_timer(timer);
        came
    }
}
