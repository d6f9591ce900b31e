//! Calls that sleep for the remaining time, and the timeout of a wait for an event that never
//! comes.

use super::{milliseconds, objects, offer, units};
use crate::machine::{Method, Offer};
use punctual::os::windows::WindowsOs;
use punctual::{Instant, Os};
use punctual_windows::mechanisms::{NT_DELAY, SLEEP, WAIT_OBJECT};
use punctual_windows::os::windows::Win32Lab;

/// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-sleep>
pub(super) fn sleep<W: Win32Lab>() -> Offer<WindowsOs<W>> {
    offer(SLEEP, |os, _| Ok(Box::new(Sleep(os.clone()))))
}

/// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-waitforsingleobject>
pub(super) fn wait_for_single_object<W: Win32Lab>() -> Offer<WindowsOs<W>> {
    offer(WAIT_OBJECT, |os, _| {
        let event = objects::event(os.win32())?;
        let os = os.clone();
        Ok(Box::new(WaitForSingleObject { os, event }))
    })
}

/// The function has no page of its own. The kernel's function behind it has one:
/// <https://learn.microsoft.com/en-us/windows-hardware/drivers/ddi/wdm/nf-wdm-kedelayexecutionthread>
pub(super) fn nt_delay_execution<W: Win32Lab>() -> Offer<WindowsOs<W>> {
    offer(NT_DELAY, |os, _| Ok(Box::new(NtDelayExecution(os.clone()))))
}

struct Sleep<W: Win32Lab>(WindowsOs<W>);

impl<W: Win32Lab> Method for Sleep<W> {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        let remaining = deadline.duration_since(self.0.now());
        self.0.win32().sleep(milliseconds(remaining));
        self.0.now()
    }
}

struct WaitForSingleObject<W: Win32Lab> {
    os: WindowsOs<W>,
    event: W::Object,
}

impl<W: Win32Lab> Method for WaitForSingleObject<W> {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        let remaining = milliseconds(deadline.duration_since(self.os.now()));
        // It always times out.
        let _ = self
            .os
            .win32()
            .wait_for_single_object(&self.event, remaining);
        self.os.now()
    }
}

struct NtDelayExecution<W: Win32Lab>(WindowsOs<W>);

impl<W: Win32Lab> Method for NtDelayExecution<W> {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        const ALERTABLE: bool = false;
        let remaining = units(deadline.duration_since(self.0.now()));
        // Negative means relative to now. The call cannot fail with these arguments.
        let _ = self.0.win32().nt_delay_execution(ALERTABLE, -remaining);
        self.0.now()
    }
}
