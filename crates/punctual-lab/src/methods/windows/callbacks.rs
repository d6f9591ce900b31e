//! Timers with callbacks. Each call sets an event that the method waits for.

use super::{objects, offer, unavailable, whole_milliseconds};
use crate::machine::{Method, Offer, Wishes};
use punctual::os::windows::WindowsOs;
use punctual::{Error, Instant, Os};
use punctual_windows::mechanisms::{POOL_TIMER, TIME_SET_EVENT, TIMER_QUEUE};
use punctual_windows::os::windows::{TimerCallback, WT_EXECUTEINTIMERTHREAD, Win32Lab};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

/// <https://learn.microsoft.com/en-us/windows/win32/api/threadpoollegacyapiset/nf-threadpoollegacyapiset-createtimerqueuetimer>
pub(super) fn timer_queue<W: Win32Lab>() -> Offer<WindowsOs<W>> {
    offer(TIMER_QUEUE, |os, wishes| {
        make(os, wishes, start_timer_queue_timer)
    })
}

/// <https://learn.microsoft.com/en-us/windows/win32/api/threadpoolapiset/nf-threadpoolapiset-setthreadpooltimer>
pub(super) fn pool_timer<W: Win32Lab>() -> Offer<WindowsOs<W>> {
    offer(POOL_TIMER, |os, wishes| make(os, wishes, start_pool_timer))
}

/// <https://learn.microsoft.com/en-us/previous-versions/dd757634(v=vs.85)>
pub(super) fn time_set_event<W: Win32Lab>() -> Offer<WindowsOs<W>> {
    offer(TIME_SET_EVENT, |os, wishes| {
        make(os, wishes, start_multimedia_timer)
    })
}

/// Like [`timer_queue`], for a loop that treats each call as one beat, even if several come at
/// once.
pub(super) fn counted_timer_queue<W: Win32Lab>() -> Offer<WindowsOs<W>> {
    Offer {
        make: |os, wishes| make_counted(os, wishes, start_timer_queue_timer),
        ..timer_queue()
    }
}

/// Like [`time_set_event`], for such a loop.
pub(super) fn counted_time_set_event<W: Win32Lab>() -> Offer<WindowsOs<W>> {
    Offer {
        make: |os, wishes| make_counted(os, wishes, start_multimedia_timer),
        ..time_set_event()
    }
}

/// A running timer, which ends when it is dropped.
enum Running<W: Win32Lab> {
    Queue(W::QueueTimer),
    Pool(W::PoolTimer),
    Multimedia(W::MultimediaTimer),
}

/// Starts a timer with this period, in milliseconds.
type StartTimer<W> = fn(&W, TimerCallback, u32) -> Result<Running<W>, Error>;

struct CallingBack<W: Win32Lab> {
    os: WindowsOs<W>,
    event: Arc<W::Object>,
    period_ms: u32,
    start: StartTimer<W>,
    running: Option<Running<W>>,
    /// Calls that have not ended a wait yet, if each is to end one.
    calls: Option<Arc<AtomicU64>>,
}

fn make<W: Win32Lab>(
    os: &WindowsOs<W>,
    wishes: Wishes,
    start: StartTimer<W>,
) -> Result<Box<dyn Method>, Error> {
    make_with(os, wishes, start, None)
}

fn make_counted<W: Win32Lab>(
    os: &WindowsOs<W>,
    wishes: Wishes,
    start: StartTimer<W>,
) -> Result<Box<dyn Method>, Error> {
    make_with(os, wishes, start, Some(Arc::default()))
}

fn make_with<W: Win32Lab>(
    os: &WindowsOs<W>,
    wishes: Wishes,
    start: StartTimer<W>,
    calls: Option<Arc<AtomicU64>>,
) -> Result<Box<dyn Method>, Error> {
    let mut method = CallingBack {
        calls,
        os: os.clone(),
        event: Arc::new(objects::event(os.win32())?),
        period_ms: whole_milliseconds(wishes.period)?,
        start,
        running: None,
    };
    // A timer is started here as a test, because this function can return a reason.
    method.running = Some(method.started()?);
    method.end_turn();
    Ok(Box::new(method))
}

impl<W: Win32Lab> CallingBack<W> {
    fn started(&self) -> Result<Running<W>, Error> {
        let (win32, event) = (self.os.win32().clone(), Arc::clone(&self.event));
        let calls = self.calls.clone();
        let callback = move || {
            if let Some(calls) = &calls {
                calls.fetch_add(1, SeqCst);
            }
            // An event can be set.
            let _ = win32.set_event(&event);
        };
        (self.start)(self.os.win32(), Box::new(callback), self.period_ms)
    }

    /// Takes one call, if one has been made and calls are counted.
    fn take_call(&self) -> bool {
        let take = |calls: u64| calls.checked_sub(1);
        self.calls
            .as_ref()
            .is_some_and(|calls| calls.fetch_update(SeqCst, SeqCst, take).is_ok())
    }
}

fn start_timer_queue_timer<W: Win32Lab>(
    win32: &W,
    callback: TimerCallback,
    period_ms: u32,
) -> Result<Running<W>, Error> {
    let flags = WT_EXECUTEINTIMERTHREAD;
    let timer = win32.create_timer_queue_timer(callback, period_ms, period_ms, flags);
    timer
        .map(Running::Queue)
        .map_err(unavailable("CreateTimerQueueTimer"))
}

fn start_pool_timer<W: Win32Lab>(
    win32: &W,
    callback: TimerCallback,
    period_ms: u32,
) -> Result<Running<W>, Error> {
    const UNITS_PER_MILLISECOND: i64 = 10_000;
    const WINDOW_LENGTH: u32 = 0;
    // Negative means relative to now.
    let due_time = -i64::from(period_ms) * UNITS_PER_MILLISECOND;
    let timer = win32
        .create_threadpool_timer(callback)
        .map_err(unavailable("CreateThreadpoolTimer"))?;
    win32.set_threadpool_timer(&timer, Some(due_time), period_ms, WINDOW_LENGTH);
    Ok(Running::Pool(timer))
}

fn start_multimedia_timer<W: Win32Lab>(
    win32: &W,
    callback: TimerCallback,
    period_ms: u32,
) -> Result<Running<W>, Error> {
    const AS_EXACTLY_AS_CAN_BE: u32 = 0;
    const PERIODIC: bool = true;
    let timer = win32.time_set_event(period_ms, AS_EXACTLY_AS_CAN_BE, callback, PERIODIC);
    timer
        .map(Running::Multimedia)
        .map_err(unavailable("timeSetEvent"))
}

impl<W: Win32Lab> Method for CallingBack<W> {
    fn begin_turn(&mut self) {
        // A timer could be started when the method was made, so it can be started now.
        self.running = self.started().ok();
    }

    /// Measures the timer's own period, so it does not use the deadline.
    fn wait_until(&mut self, _: Instant) -> Instant {
        while !self.take_call() {
            objects::wait(self.os.win32(), &self.event);
            if self.calls.is_none() {
                break;
            }
        }
        self.os.now()
    }

    fn end_turn(&mut self) {
        self.running = None;
        // A call that was under way when the timer stopped does not count for the next turn.
        let _ = self.os.win32().reset_event(&self.event);
        if let Some(calls) = &self.calls {
            calls.store(0, SeqCst);
        }
    }
}

impl<W: Win32Lab> Drop for CallingBack<W> {
    fn drop(&mut self) {
        self.end_turn();
    }
}
