//! Timers that repeat by themselves: they start with a turn and stop with it.

use super::{Made, Windows, plain, precise, unavailable};
use crate::waiters::{Wait, WaiterOptions};
use punctual::{Error, Instant, Os, Period};
use punctual_windows::os::windows::{
    TimerCallback, TimerId, WT_EXECUTEINTIMERTHREAD, Win32Lab, calls,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::time::Duration;

/// A timer with a period of its own.
trait Repeats {
    /// What runs.
    type Running;

    fn start(&self) -> Result<Self::Running, Error>;

    /// Waits for its next end of a period.
    fn next(&self, running: &Self::Running);

    fn stop(&self, running: Self::Running);
}

/// A wait by such a timer.
struct Repeating<O, R: Repeats> {
    os: O,
    timer: R,
    running: Option<R::Running>,
}

/// The wait, whose timer is started once as a test, because this function can return a reason.
fn repeating<O: Os, R: Repeats + 'static>(os: &O, timer: R) -> Made {
    let started = timer.start()?;
    timer.stop(started);
    Ok(Box::new(Repeating {
        os: os.clone(),
        timer,
        running: None,
    }))
}

impl<O: Os, R: Repeats> Wait for Repeating<O, R> {
    fn begin_turn(&mut self) {
        // It could be started when this was made, so it can be started now.
        self.running = self.timer.start().ok();
    }

    /// Measures the timer's own period, so it does not use the deadline.
    fn wait_until(&mut self, _: Instant) -> Instant {
        if let Some(running) = &self.running {
            self.timer.next(running);
        }
        self.os.now()
    }

    fn end_turn(&mut self) {
        if let Some(running) = self.running.take() {
            self.timer.stop(running);
        }
    }
}

impl<O, R: Repeats> Drop for Repeating<O, R> {
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            self.timer.stop(running);
        }
    }
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

/// The first end of a period, from now on: negative means relative to now.
fn first(period_ms: impl Into<i64>) -> i64 {
    const UNITS_PER_MILLISECOND: i64 = 10_000;
    -period_ms.into() * UNITS_PER_MILLISECOND
}

// Waitable timers.

struct Waitable<W: Win32Lab> {
    win32: W,
    timer: W::Object,
    period_ms: i32,
}

pub(super) fn waitable<W: Win32Lab>(os: &Windows<W>, options: WaiterOptions) -> Made {
    periodic_waitable(os, options, plain)
}

pub(super) fn high_resolution<W: Win32Lab>(os: &Windows<W>, options: WaiterOptions) -> Made {
    periodic_waitable(os, options, precise)
}

fn periodic_waitable<W: Win32Lab>(
    os: &Windows<W>,
    options: WaiterOptions,
    timer: fn(&Windows<W>) -> Result<W::Object, Error>,
) -> Made {
    let period_ms = whole_milliseconds(options.period)?;
    let timer = Waitable {
        win32: os.win32().clone(),
        timer: timer(os)?,
        period_ms: i32::try_from(period_ms)
            .map_err(|_| Error::unsupported("its period can be at most 24 days"))?,
    };
    repeating(os, timer)
}

impl<W: Win32Lab> Repeats for Waitable<W> {
    type Running = ();

    fn start(&self) -> Result<(), Error> {
        self.win32
            .set_waitable_timer(&self.timer, first(self.period_ms), self.period_ms)
            .map_err(unavailable("SetWaitableTimer with a period"))
    }

    fn next(&self, (): &()) {
        calls::wait(&self.win32, &self.timer);
    }

    fn stop(&self, (): ()) {
        // A timer that was set can be cancelled.
        let _ = self.win32.cancel_waitable_timer(&self.timer);
    }
}

// A timer that sends messages, and the loop that receives them. Programs with a user interface
// wait like this.

struct Messages<W> {
    win32: W,
    period_ms: u32,
}

/// <https://learn.microsoft.com/en-us/windows/win32/api/winuser/nf-winuser-settimer>
pub(super) fn messages<W: Win32Lab>(os: &Windows<W>, options: WaiterOptions) -> Made {
    let timer = Messages {
        win32: os.win32().clone(),
        period_ms: whole_milliseconds(options.period)?,
    };
    repeating(os, timer)
}

impl<W: Win32Lab> Repeats for Messages<W> {
    type Running = TimerId;

    fn start(&self) -> Result<TimerId, Error> {
        let timer = self.win32.set_timer(self.period_ms);
        timer.map_err(unavailable("SetTimer"))
    }

    fn next(&self, timer: &TimerId) {
        // If the thread cannot receive messages, the wait is early, which is counted.
        let _ = calls::await_message(&self.win32, *timer);
    }

    fn stop(&self, timer: TimerId) {
        // A running timer can be stopped.
        let _ = self.win32.kill_timer(timer);
    }
}

// Timers with callbacks. Each call sets an event that is waited for.

/// Starts a timer with this period, in milliseconds.
type Start<W, T> = fn(&W, TimerCallback, u32) -> Result<T, Error>;

struct CallingBack<W: Win32Lab, T> {
    win32: W,
    event: Arc<W::Object>,
    period_ms: u32,
    start: Start<W, T>,
    /// Calls that have not ended a wait yet, if each is to end one.
    calls: Option<Arc<AtomicU64>>,
}

/// If calls are counted, a loop treats each as one beat, even if several come at once.
pub(super) fn calling_back<W: Win32Lab, T: 'static>(
    os: &Windows<W>,
    options: WaiterOptions,
    start: Start<W, T>,
    is_counted: bool,
) -> Made {
    let event = calls::event(os.win32()).map_err(unavailable("CreateEvent"))?;
    let timer = CallingBack {
        win32: os.win32().clone(),
        event: Arc::new(event),
        period_ms: whole_milliseconds(options.period)?,
        start,
        calls: is_counted.then(Arc::default),
    };
    repeating(os, timer)
}

/// <https://learn.microsoft.com/en-us/windows/win32/api/threadpoollegacyapiset/nf-threadpoollegacyapiset-createtimerqueuetimer>
pub(super) fn queue<W: Win32Lab>(
    win32: &W,
    callback: TimerCallback,
    period_ms: u32,
) -> Result<W::QueueTimer, Error> {
    let flags = WT_EXECUTEINTIMERTHREAD;
    let timer = win32.create_timer_queue_timer(callback, period_ms, period_ms, flags);
    timer.map_err(unavailable("CreateTimerQueueTimer"))
}

/// <https://learn.microsoft.com/en-us/windows/win32/api/threadpoolapiset/nf-threadpoolapiset-setthreadpooltimer>
pub(super) fn pool<W: Win32Lab>(
    win32: &W,
    callback: TimerCallback,
    period_ms: u32,
) -> Result<W::PoolTimer, Error> {
    const WINDOW_LENGTH: u32 = 0;
    let timer = win32
        .create_threadpool_timer(callback)
        .map_err(unavailable("CreateThreadpoolTimer"))?;
    win32.set_threadpool_timer(&timer, Some(first(period_ms)), period_ms, WINDOW_LENGTH);
    Ok(timer)
}

/// <https://learn.microsoft.com/en-us/previous-versions/dd757634(v=vs.85)>
pub(super) fn multimedia<W: Win32Lab>(
    win32: &W,
    callback: TimerCallback,
    period_ms: u32,
) -> Result<W::MultimediaTimer, Error> {
    const AS_EXACTLY_AS_CAN_BE: u32 = 0;
    const PERIODIC: bool = true;
    let timer = win32.time_set_event(period_ms, AS_EXACTLY_AS_CAN_BE, callback, PERIODIC);
    timer.map_err(unavailable("timeSetEvent"))
}

impl<W: Win32Lab, T> CallingBack<W, T> {
    /// Takes one call, if one has been made and calls are counted.
    fn take_call(&self) -> bool {
        let take = |calls: u64| calls.checked_sub(1);
        self.calls
            .as_ref()
            .is_some_and(|calls| calls.fetch_update(SeqCst, SeqCst, take).is_ok())
    }
}

impl<W: Win32Lab, T> Repeats for CallingBack<W, T> {
    /// It ends when it is dropped.
    type Running = T;

    fn start(&self) -> Result<T, Error> {
        let mut set = calls::setting(&self.win32, &self.event);
        let calls = self.calls.clone();
        let callback = move || {
            if let Some(calls) = &calls {
                calls.fetch_add(1, SeqCst);
            }
            set();
        };
        (self.start)(&self.win32, Box::new(callback), self.period_ms)
    }

    fn next(&self, _: &T) {
        while !self.take_call() {
            calls::wait(&self.win32, &self.event);
            if self.calls.is_none() {
                break;
            }
        }
    }

    fn stop(&self, running: T) {
        drop(running);
        // A call that was under way when the timer stopped does not count for the next turn.
        let _ = self.win32.reset_event(&self.event);
        if let Some(calls) = &self.calls {
            calls.store(0, SeqCst);
        }
    }
}
