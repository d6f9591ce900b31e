//! A timer that sends messages, and the loop that receives them. Programs with a user interface
//! wait like this.

use super::{offer, unavailable, whole_milliseconds};
use crate::machine::{Method, Offer};
use punctual::os::windows::WindowsOs;
use punctual::{Error, Instant, Os};
use punctual_windows::mechanisms::SET_TIMER;
use punctual_windows::os::windows::{TimerId, WM_QUIT, WM_TIMER, Win32Lab};

/// <https://learn.microsoft.com/en-us/windows/win32/api/winuser/nf-winuser-settimer>
pub(super) fn set_timer<W: Win32Lab>() -> Offer<WindowsOs<W>> {
    offer(SET_TIMER, |os, wishes| {
        let mut method = Messages {
            os: os.clone(),
            period_ms: whole_milliseconds(wishes.period)?,
            running: None,
        };
        // A timer is started here as a test, because this function can return a reason.
        method.running = Some(method.started()?);
        method.end_turn();
        Ok(Box::new(method))
    })
}

struct Messages<W: Win32Lab> {
    os: WindowsOs<W>,
    period_ms: u32,
    running: Option<TimerId>,
}

impl<W: Win32Lab> Messages<W> {
    fn started(&self) -> Result<TimerId, Error> {
        let timer = self.os.win32().set_timer(self.period_ms);
        timer.map_err(unavailable("SetTimer"))
    }

    /// Waits for the timer's next message and skips others. Returns at once if the thread is told
    /// to quit or cannot receive messages.
    fn await_message(&self, timer: TimerId) {
        loop {
            match self.os.win32().get_message() {
                Ok(found) if found.message == WM_TIMER && found.w_param == timer.0 => return,
                Ok(found) if found.message != WM_QUIT => {}
                _ => return,
            }
        }
    }
}

impl<W: Win32Lab> Method for Messages<W> {
    fn begin_turn(&mut self) {
        // A timer could be started when the method was made, so it can be started now.
        self.running = self.started().ok();
    }

    /// Measures the timer's own period, so it does not use the deadline.
    fn wait_until(&mut self, _: Instant) -> Instant {
        if let Some(timer) = self.running {
            self.await_message(timer);
        }
        self.os.now()
    }

    fn end_turn(&mut self) {
        if let Some(timer) = self.running.take() {
            // A running timer can be stopped.
            let _ = self.os.win32().kill_timer(timer);
        }
    }
}

impl<W: Win32Lab> Drop for Messages<W> {
    fn drop(&mut self) {
        self.end_turn();
    }
}
