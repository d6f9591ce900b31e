//! Calls that sleep, and waits for an object.

use super::{MILLISECOND, UNIT, offer};
use crate::machine::{Call, CallOffer};
use crate::methods::windows::{milliseconds, objects, unavailable, units};
use punctual::Error;
use punctual::os::windows::WindowsOs;
use punctual_windows::mechanisms::{HIGH_RES, NT_DELAY, SLEEP, WAIT_OBJECT, WAITABLE};
use punctual_windows::os::windows::Win32Lab;
use std::time::Duration;

/// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-sleep>
pub(super) fn sleep<W: Win32Lab>() -> CallOffer<WindowsOs<W>> {
    offer(SLEEP, MILLISECOND, |os| Ok(Sleep(os.win32().clone())))
}

/// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-waitforsingleobject>
pub(super) fn wait<W: Win32Lab>() -> CallOffer<WindowsOs<W>> {
    offer(WAIT_OBJECT, MILLISECOND, |os| {
        let win32 = os.win32().clone();
        let event = objects::event(&win32)?;
        Ok(Wait { win32, event })
    })
}

/// The function has no page of its own. The kernel's function behind it has one:
/// <https://learn.microsoft.com/en-us/windows-hardware/drivers/ddi/wdm/nf-wdm-kedelayexecutionthread>
pub(super) fn nt_delay<W: Win32Lab>() -> CallOffer<WindowsOs<W>> {
    offer(NT_DELAY, UNIT, |os| Ok(NtDelay(os.win32().clone())))
}

/// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-setwaitabletimer>
pub(super) fn waitable<W: Win32Lab>() -> CallOffer<WindowsOs<W>> {
    offer(WAITABLE, UNIT, |os| Waitable::make(os.win32(), false))
}

/// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-createwaitabletimerexw>
pub(super) fn high_resolution<W: Win32Lab>() -> CallOffer<WindowsOs<W>> {
    offer(HIGH_RES, UNIT, |os| Waitable::make(os.win32(), true))
}

struct Sleep<W>(W);

impl<W: Win32Lab> Call for Sleep<W> {
    fn call(&mut self, duration: Duration) -> Result<(), Error> {
        self.0.sleep(milliseconds(duration));
        Ok(())
    }
}

struct Wait<W: Win32Lab> {
    win32: W,
    event: W::Object,
}

impl<W: Win32Lab> Call for Wait<W> {
    fn call(&mut self, duration: Duration) -> Result<(), Error> {
        let waited = self
            .win32
            .wait_for_single_object(&self.event, milliseconds(duration));
        waited.map(drop).map_err(unavailable("WaitForSingleObject"))
    }
}

struct NtDelay<W>(W);

impl<W: Win32Lab> Call for NtDelay<W> {
    fn call(&mut self, duration: Duration) -> Result<(), Error> {
        const ALERTABLE: bool = false;
        // Negative means relative to now.
        let delayed = self.0.nt_delay_execution(ALERTABLE, -units(duration));
        delayed.map_err(unavailable("NtDelayExecution"))
    }
}

struct Waitable<W: Win32Lab> {
    win32: W,
    timer: W::Object,
}

impl<W: Win32Lab> Waitable<W> {
    fn make(win32: &W, high_resolution: bool) -> Result<Self, Error> {
        Ok(Self {
            win32: win32.clone(),
            timer: objects::timer(win32, high_resolution)?,
        })
    }
}

impl<W: Win32Lab> Call for Waitable<W> {
    fn call(&mut self, duration: Duration) -> Result<(), Error> {
        const ONCE: i32 = 0;
        // Negative means relative to now.
        self.win32
            .set_waitable_timer(&self.timer, -units(duration), ONCE)
            .map_err(unavailable("SetWaitableTimer"))?;
        objects::wait(&self.win32, &self.timer);
        Ok(())
    }
}
