//! Windows' own ways of waiting, on any implementation of its calls.

mod callbacks;
pub(crate) mod objects;
mod waitable;

use crate::machine::{Make, Method, NANOS_PER_UNIT, Offer, Request};
use punctual::os::windows::{MultimediaTask, Win32Error, WindowsOs};
use punctual::{Error, Instant, Os, Period};
use punctual_windows::mechanisms::{
    HIGH_RES_MMCSS, Mechanism, NT_DELAY, SET_TIMER, SLEEP, WAIT_OBJECT,
};
use punctual_windows::os::windows::{TimerId, WM_QUIT, WM_TIMER, Win32Lab};
use std::time::Duration;
use waitable::make_relative_high_resolution;

/// All methods: those that sleep, waitable timers, and timers with callbacks or messages.
pub fn all<W: Win32Lab>() -> Vec<Offer<WindowsOs<W>>> {
    vec![
        sleep(),
        wait_for_single_object(),
        nt_delay_execution(),
        waitable::relative(),
        waitable::absolute(),
        waitable::periodic(),
        waitable::relative_high_resolution(),
        waitable::absolute_high_resolution(),
        waitable::periodic_high_resolution(),
        in_multimedia_task(),
        callbacks::timer_queue(),
        callbacks::pool_timer(),
        callbacks::time_set_event(),
        set_timer(),
    ]
}

/// Methods that differ when a loop keeps its beat with them.
pub fn for_loops<W: Win32Lab>() -> [Offer<WindowsOs<W>>; 4] {
    [
        waitable::on_time_base(),
        waitable::on_time_base_high_resolution(),
        callbacks::counted_timer_queue(),
        callbacks::counted_time_set_event(),
    ]
}

/// A mechanism as a method. Windows' threads have no slack that could delay it.
pub(crate) fn offer<W: Win32Lab>(
    mechanism: Mechanism,
    make: Make<WindowsOs<W>>,
) -> Offer<WindowsOs<W>> {
    Offer {
        name: mechanism.name,
        summary: mechanism.summary,
        slack_applies: false,
        make,
    }
}

/// A duration in whole milliseconds, rounded up, for waits that must not end early.
pub(crate) fn milliseconds(duration: Duration) -> u32 {
    const NANOS_PER_MILLISECOND: u128 = 1_000_000;
    u32::try_from(duration.as_nanos().div_ceil(NANOS_PER_MILLISECOND)).unwrap_or(u32::MAX - 1)
}

/// A duration in units of 100 ns, rounded up.
pub(crate) fn units(duration: Duration) -> i64 {
    const NANOS_PER_UNIT: u128 = 100;
    i64::try_from(duration.as_nanos().div_ceil(NANOS_PER_UNIT)).unwrap_or(i64::MAX)
}

/// The period of a timer that counts whole milliseconds.
fn whole_milliseconds(period: Period) -> Result<u32, Error> {
    let count = period.to_duration().as_millis();
    let is_period = |count| Period::try_from(Duration::from_millis(u64::from(count)));
    let count = u32::try_from(count)
        .ok()
        .filter(|&count| is_period(count).is_ok_and(|whole| whole == period));
    count.ok_or_else(|| Error::unsupported("its period must be a whole number of milliseconds"))
}

/// Why a method is unavailable.
pub(crate) fn unavailable(call: &'static str) -> impl Fn(Win32Error) -> Error {
    move |error| match error {
        Win32Error::PROC_NOT_FOUND => Error::unsupported(format!("this Windows has no {call}")),
        Win32Error::INVALID_PARAMETER => {
            Error::unsupported(format!("this Windows does not know {call}"))
        }
        error => Error::system(format!("{call} failed: {error}")),
    }
}

// A timer that sends messages, and the loop that receives them. Programs with a user interface
// wait like this.

/// <https://learn.microsoft.com/en-us/windows/win32/api/winuser/nf-winuser-settimer>
fn set_timer<W: Win32Lab>() -> Offer<WindowsOs<W>> {
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

// A wait under the multimedia class scheduler: the same timer, in a thread that runs before
// ordinary ones once it is ready.

/// The task with the highest priority among those that every Windows registers.
const TASK: &str = "Pro Audio";

/// <https://learn.microsoft.com/en-us/windows/win32/procthread/multimedia-class-scheduler-service>
fn in_multimedia_task<W: Win32Lab>() -> Offer<WindowsOs<W>> {
    offer(HIGH_RES_MMCSS, |os, _| {
        let method = make_relative_high_resolution(os)?;
        // The thread joins the task here as a test, because this function can return a reason.
        drop(os.multimedia_task(TASK)?);
        Ok(Box::new(InTask {
            os: os.clone(),
            method,
            task: None,
        }))
    })
}

/// A method whose turns belong to a multimedia task. The turns of other methods do not.
struct InTask<W: Win32Lab> {
    os: WindowsOs<W>,
    method: Box<dyn Method>,
    task: Option<MultimediaTask<W>>,
}

impl<W: Win32Lab> Method for InTask<W> {
    fn begin_turn(&mut self) {
        // The thread could join when the method was made, so it can join now.
        self.task = self.os.multimedia_task(TASK).ok();
        self.method.begin_turn();
    }

    fn wait_until(&mut self, deadline: Instant) -> Instant {
        self.method.wait_until(deadline)
    }

    fn end_turn(&mut self) {
        self.method.end_turn();
        self.task = None;
    }
}

// Any method, under a request of this process for a timer interval.

/// A method with a request that begins and ends with its turns.
struct Requested<W: Win32Lab> {
    win32: W,
    request: Request,
    method: Box<dyn Method>,
}

/// The method, with this process's request for this timer interval in each of its turns.
///
/// # Errors
/// If the system refuses the request, which is tried once.
pub fn requested<W: Win32Lab>(
    win32: &W,
    method: Box<dyn Method>,
    interval: Duration,
) -> Result<Box<dyn Method>, Error> {
    let request = Request::of(interval);
    request
        .begin(win32)
        .and_then(|()| request.end(win32))
        .map_err(|error| Error::system(format!("the system refused the request: {error}")))?;
    Ok(Box::new(Requested {
        win32: win32.clone(),
        request,
        method,
    }))
}

/// The longest time until a request is in force. It takes effect at the next tick, and the longest
/// time between ticks is the default interval.
pub fn request_delay<W: Win32Lab>(win32: &W) -> Duration {
    // If the query fails: this value is reported of some builds of Windows 10.
    const LONGEST_KNOWN: Duration = Duration::from_millis(20);
    let found = win32.nt_query_timer_resolution();
    found.map_or(LONGEST_KNOWN, |found| {
        Duration::from_nanos(NANOS_PER_UNIT) * found.maximum_time
    })
}

impl<W: Win32Lab> Method for Requested<W> {
    fn begin_turn(&mut self) {
        // The request was accepted when the method was made, so it is accepted now.
        let _ = self.request.begin(&self.win32);
        self.method.begin_turn();
    }

    fn wait_until(&mut self, deadline: Instant) -> Instant {
        self.method.wait_until(deadline)
    }

    fn end_turn(&mut self) {
        self.method.end_turn();
        let _ = self.request.end(&self.win32);
    }
}

// Calls that sleep for the remaining time, and the timeout of a wait for an event that never
// comes.

/// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-sleep>
fn sleep<W: Win32Lab>() -> Offer<WindowsOs<W>> {
    offer(SLEEP, |os, _| Ok(Box::new(Sleep(os.clone()))))
}

/// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-waitforsingleobject>
fn wait_for_single_object<W: Win32Lab>() -> Offer<WindowsOs<W>> {
    offer(WAIT_OBJECT, |os, _| {
        let event = objects::event(os.win32())?;
        let os = os.clone();
        Ok(Box::new(WaitForSingleObject { os, event }))
    })
}

/// The function has no page of its own. The kernel's function behind it has one:
/// <https://learn.microsoft.com/en-us/windows-hardware/drivers/ddi/wdm/nf-wdm-kedelayexecutionthread>
fn nt_delay_execution<W: Win32Lab>() -> Offer<WindowsOs<W>> {
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
