//! Timers that call back once. The callback sets an event, and the call waits for it.

use super::{MILLISECOND, UNIT, offer};
use crate::machine::{Call, CallOffer};
use crate::methods::windows::{milliseconds, objects, unavailable, units};
use punctual::Error;
use punctual::os::windows::WindowsOs;
use punctual_windows::mechanisms::{POOL_ONCE, QUEUE_ONCE};
use punctual_windows::os::windows::{WT_EXECUTEINTIMERTHREAD, Win32Lab};
use std::sync::Arc;
use std::time::Duration;

/// <https://learn.microsoft.com/en-us/windows/win32/api/threadpoolapiset/nf-threadpoolapiset-setthreadpooltimer>
pub(super) fn pool<W: Win32Lab>() -> CallOffer<WindowsOs<W>> {
    offer(POOL_ONCE, UNIT, |os| {
        let win32 = os.win32().clone();
        let event = Arc::new(objects::event(&win32)?);
        let timer = win32
            .create_threadpool_timer(objects::setting(&win32, &event))
            .map_err(unavailable("CreateThreadpoolTimer"))?;
        Ok(Pool {
            win32,
            event,
            timer,
        })
    })
}

/// <https://learn.microsoft.com/en-us/windows/win32/api/threadpoollegacyapiset/nf-threadpoollegacyapiset-createtimerqueuetimer>
pub(super) fn queue<W: Win32Lab>() -> CallOffer<WindowsOs<W>> {
    offer(QUEUE_ONCE, MILLISECOND, |os| {
        let win32 = os.win32().clone();
        let event = Arc::new(objects::event(&win32)?);
        Ok(Queue { win32, event })
    })
}

struct Pool<W: Win32Lab> {
    win32: W,
    event: Arc<W::Object>,
    timer: W::PoolTimer,
}

impl<W: Win32Lab> Call for Pool<W> {
    fn call(&mut self, duration: Duration) -> Result<(), Error> {
        const ONCE: u32 = 0;
        const WINDOW_LENGTH: u32 = 0;
        // Negative means relative to now.
        let due_time = Some(-units(duration));
        self.win32
            .set_threadpool_timer(&self.timer, due_time, ONCE, WINDOW_LENGTH);
        objects::wait(&self.win32, &self.event);
        Ok(())
    }
}

struct Queue<W: Win32Lab> {
    win32: W,
    event: Arc<W::Object>,
}

impl<W: Win32Lab> Call for Queue<W> {
    /// Each call makes a timer and ends it, as programs do with one that fires once.
    fn call(&mut self, duration: Duration) -> Result<(), Error> {
        const ONCE: u32 = 0;
        let callback = objects::setting(&self.win32, &self.event);
        let due_time = milliseconds(duration);
        let _timer = self
            .win32
            .create_timer_queue_timer(callback, due_time, ONCE, WT_EXECUTEINTIMERTHREAD)
            .map_err(unavailable("CreateTimerQueueTimer"))?;
        objects::wait(&self.win32, &self.event);
        Ok(())
    }
}
