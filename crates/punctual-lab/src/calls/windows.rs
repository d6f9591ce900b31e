//! Windows' calls that wait, on any implementation of them.

use crate::machine::{Call, CallOffer, Method, Offer};
use crate::methods::windows::{self, milliseconds, objects, unavailable, units};
use punctual::os::windows::WindowsOs;
use punctual::{Error, Instant, Os};
use punctual_windows::mechanisms::{
    HIGH_RES, Mechanism, NT_DELAY, POOL_ONCE, QUEUE_ONCE, SET_TIMER, SLEEP, WAIT_OBJECT, WAITABLE,
};
use punctual_windows::os::windows::{
    TimerId, WM_QUIT, WM_TIMER, WT_EXECUTEINTIMERTHREAD, Win32Lab,
};
use std::sync::Arc;
use std::time::Duration;

/// Most calls count milliseconds.
const MILLISECOND: Duration = Duration::from_millis(1);

/// The kernel counts units of 100 ns.
const UNIT: Duration = Duration::from_nanos(100);

/// All of them.
pub fn all<W: Win32Lab>() -> Vec<CallOffer<WindowsOs<W>>> {
    vec![
        sleep(),
        wait(),
        nt_delay(),
        waitable(),
        high_resolution(),
        pool(),
        queue(),
        set_timer(),
    ]
}

/// A mechanism as a call, which takes lengths in this unit.
fn offer<W: Win32Lab, C: Call + 'static>(
    mechanism: Mechanism,
    unit: Duration,
    make: fn(&WindowsOs<W>) -> Result<C, Error>,
) -> CallOffer<WindowsOs<W>> {
    CallOffer {
        name: mechanism.name,
        summary: mechanism.summary,
        unit,
        make: Box::new(move |os| Ok(Box::new(make(os)?))),
    }
}

/// Waits until the timer has just ticked: an ordinary wait ends there.
pub fn await_tick<W: Win32Lab>(win32: &W) {
    const LEAST: u32 = 1;
    win32.sleep(LEAST);
}

// Calls that sleep, and waits for an object.

/// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-sleep>
fn sleep<W: Win32Lab>() -> CallOffer<WindowsOs<W>> {
    offer(SLEEP, MILLISECOND, |os| Ok(Sleep(os.win32().clone())))
}

/// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-waitforsingleobject>
fn wait<W: Win32Lab>() -> CallOffer<WindowsOs<W>> {
    offer(WAIT_OBJECT, MILLISECOND, |os| {
        let win32 = os.win32().clone();
        let event = objects::event(&win32)?;
        Ok(Wait { win32, event })
    })
}

/// The function has no page of its own. The kernel's function behind it has one:
/// <https://learn.microsoft.com/en-us/windows-hardware/drivers/ddi/wdm/nf-wdm-kedelayexecutionthread>
fn nt_delay<W: Win32Lab>() -> CallOffer<WindowsOs<W>> {
    offer(NT_DELAY, UNIT, |os| Ok(NtDelay(os.win32().clone())))
}

/// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-setwaitabletimer>
fn waitable<W: Win32Lab>() -> CallOffer<WindowsOs<W>> {
    offer(WAITABLE, UNIT, |os| Waitable::make(os.win32(), false))
}

/// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-createwaitabletimerexw>
fn high_resolution<W: Win32Lab>() -> CallOffer<WindowsOs<W>> {
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

// Timers that call back once. The callback sets an event, and the call waits for it.

/// <https://learn.microsoft.com/en-us/windows/win32/api/threadpoolapiset/nf-threadpoolapiset-setthreadpooltimer>
fn pool<W: Win32Lab>() -> CallOffer<WindowsOs<W>> {
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
fn queue<W: Win32Lab>() -> CallOffer<WindowsOs<W>> {
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

// A timer that sends a message, and the loop that receives it.

/// <https://learn.microsoft.com/en-us/windows/win32/api/winuser/nf-winuser-settimer>
fn set_timer<W: Win32Lab>() -> CallOffer<WindowsOs<W>> {
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

// One-shot timers as ways to wait for a deadline.

/// Timers that call back once, set for the rest of the time to each deadline.
pub fn methods<W: Win32Lab>() -> [Offer<WindowsOs<W>>; 2] {
    [
        windows::offer(POOL_ONCE, |os, _| remaining(os, &pool())),
        windows::offer(QUEUE_ONCE, |os, _| remaining(os, &queue())),
    ]
}

fn remaining<W: Win32Lab>(
    os: &WindowsOs<W>,
    offer: &CallOffer<WindowsOs<W>>,
) -> Result<Box<dyn Method>, Error> {
    let call = (offer.make)(os)?;
    let os = os.clone();
    Ok(Box::new(Remaining { os, call }))
}

struct Remaining<W: Win32Lab> {
    os: WindowsOs<W>,
    call: Box<dyn Call>,
}

impl<W: Win32Lab> Method for Remaining<W> {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        let remaining = deadline.duration_since(self.os.now());
        // Windows refuses a timer only if it has no memory left. The wait then ends at once.
        let _ = self.call.call(remaining);
        self.os.now()
    }
}
