//! Timers that call a function of the program: timer queues, the thread pool, multimedia timers.
//!
//! The functions run on threads of the process, which are started when they are first needed: one
//! that serves the timer queue, more that it hands calls to, and an urgent one for multimedia
//! timers.
//!
//! A timer of the thread pool is made once, set as often as wanted, and called back by the pool. One of another process cannot
//! be used.

use super::alarms::AlarmId;
use super::timers::Setting;
use super::{Target, Wake, WindowsKernel, WindowsModel, ordinary};
use crate::{Called, ProcessId, Reason, Returned, Start, WaitList, WakeOrder, call, call_and_wait};
use punctual::Instant;
use punctual_windows::expiry::{tolerance, tolerated_ticks};
use punctual_windows::os::windows::TimerCallback;
use punctual_windows::{Periodic, WaitKind};
use std::collections::{BTreeMap, VecDeque};
use std::mem::ManuallyDrop;
use std::time::Duration;

/// Names a timer: its process, and its number there, which none other ever has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CallbackKey {
    pub(crate) process: ProcessId,
    pub(crate) number: usize,
}

/// What is to be called, when, and by whom.
pub(crate) struct Plan {
    pub(crate) caller: Caller,
    pub(crate) first_due: Duration,
    pub(crate) period: Option<Duration>,
    /// The request that is held as long as it is active (C12).
    pub(crate) request: Option<Duration>,
}

/// All such timers of a process, and the threads that serve them.
#[derive(Default)]
pub(super) struct Callbacks {
    pub(super) timers: BTreeMap<usize, Timer>,
    pub(super) made: usize,
    pool: Servants,
    timer_thread: Servants,
    multimedia: Servants,
}

pub(super) struct Timer {
    /// Away while it runs. Never dropped from here: its destructor is part of the program, and the
    /// machine runs none of a program that was cut off.
    callback: Option<ManuallyDrop<TimerCallback>>,
    caller: Caller,
    pub(super) alarm: Option<AlarmId>,
    pub(super) periodic: Option<Periodic>,
    /// By how much it may be late so that wake-ups can be shared.
    pub(super) window: Duration,
    request: Option<Duration>,
    /// Calls that are due and have not begun.
    owed: u128,
    /// Whoever waits for a call under way to end.
    enders: WaitList,
    deleted: bool,
}

#[derive(Default)]
struct Servants {
    threads: usize,
    idle: WaitList,
    due: VecDeque<usize>,
}

impl std::fmt::Debug for Callbacks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let timers = self.timers.keys();
        f.debug_set().entries(timers).finish()
    }
}

impl Callbacks {
    pub(super) fn alarms(&self) -> impl Iterator<Item = AlarmId> {
        self.timers.values().filter_map(|timer| timer.alarm)
    }

    fn servants(&mut self, caller: Caller) -> &mut Servants {
        match caller {
            Caller::Pool | Caller::PoolTimer => &mut self.pool,
            Caller::TimerThread => &mut self.timer_thread,
            Caller::Multimedia => &mut self.multimedia,
        }
    }
}

impl Timer {
    pub(super) fn new(callback: TimerCallback, caller: Caller) -> Self {
        Self {
            callback: Some(ManuallyDrop::new(callback)),
            caller,
            alarm: None,
            periodic: None,
            window: Duration::ZERO,
            request: None,
            owed: 0,
            enders: WaitList::default(),
            deleted: false,
        }
    }
}

impl WindowsModel {
    /// Starts a timer of the calling process.
    pub(crate) fn start_callbacks(
        &mut self,
        kernel: &mut WindowsKernel,
        callback: TimerCallback,
        plan: &Plan,
    ) -> CallbackKey {
        let process = kernel.current_process();
        if let Some(request) = plan.request {
            self.begin_request(kernel, process, request);
        }
        let due = self.timer.due_time(kernel.now(), plan.first_due);
        let rules = *self.timer.rules();
        let kind = plan.caller.wait_kind();
        let callbacks = &mut self.process(process).callbacks;
        callbacks.made += 1;
        let number = callbacks.made;
        let periodic = plan.period;
        let timer = Timer {
            periodic: periodic.map(|period| Periodic::new(&rules, kind, due, period)),
            request: plan.request,
            ..Timer::new(callback, plan.caller)
        };
        callbacks.timers.insert(number, timer);
        let key = CallbackKey { process, number };
        if self.is_over(kernel, due) {
            // What else falls due before the next tick waits for it.
            self.fire(kernel, key, due);
        } else {
            self.set_callback_alarm(kernel, key, due);
        }
        key
    }

    fn set_callback_alarm(&mut self, kernel: &mut WindowsKernel, key: CallbackKey, due: Instant) {
        let timer = self.callback_timer(key);
        let Some((caller, window)) = timer.map(|timer| (timer.caller, timer.window)) else {
            return;
        };
        let class = self.class_of(key.process, caller.wait_kind());
        let (first, last) = match window {
            Duration::ZERO => (due, due),
            window => tolerated_ticks(self.timer.clock(), due, window),
        };
        let target = Target::Callback(key);
        let alarm = self.set_tolerant_alarm(kernel, class, first..=last, target);
        if let Some(timer) = self.callback_timer(key) {
            timer.alarm = Some(alarm);
        }
    }

    fn callback_timer(&mut self, key: CallbackKey) -> Option<&mut Timer> {
        self.process(key.process)
            .callbacks
            .timers
            .get_mut(&key.number)
    }

    /// A tick has found a timer due. It may have been deleted since.
    pub(super) fn callback_expires(
        &mut self,
        kernel: &mut WindowsKernel,
        key: CallbackKey,
        alarm: AlarmId,
        tick: Instant,
    ) {
        let timer = self.callback_timer(key);
        if timer.is_some_and(|timer| timer.alarm == Some(alarm)) {
            self.fire(kernel, key, tick);
        }
    }

    pub(super) fn fire(&mut self, kernel: &mut WindowsKernel, key: CallbackKey, tick: Instant) {
        let Some(timer) = self.callback_timer(key) else {
            return;
        };
        timer.alarm = None;
        let caller = timer.caller;
        let was_owed = timer.owed > 0 || timer.callback.is_none();
        let due = timer.periodic.as_mut().map(|periodic| {
            timer.owed += periodic.fire(tick);
            periodic.due()
        });
        match due {
            Some(due) => self.set_callback_alarm(kernel, key, due),
            None => {
                timer.owed += 1;
                let request = timer.request.take();
                if let Some(request) = request {
                    self.end_request(kernel, key.process, request);
                }
            }
        }
        if !was_owed {
            self.hand_over(kernel, key, caller);
        }
    }

    /// Has one of the threads make the calls that are owed.
    fn hand_over(&mut self, kernel: &mut WindowsKernel, key: CallbackKey, caller: Caller) {
        let servants = self.process(key.process).callbacks.servants(caller);
        servants.due.push_back(key.number);
        if let Some(waiter) = servants.idle.take(kernel, WakeOrder::Fifo) {
            self.wake(kernel, waiter, Wake::Called);
        } else if servants.threads < caller.most_threads() {
            let start = caller.start(kernel);
            let serve = move || serve(key.process, caller);
            // At the limit of threads, those there are have more to do.
            if kernel
                .start_thread(key.process, caller.thread_name(), start, serve)
                .is_ok()
            {
                self.process(key.process).callbacks.servants(caller).threads += 1;
            }
        }
    }

    /// Takes the next call to make, or waits for one.
    fn next_call(
        &mut self,
        kernel: &mut WindowsKernel,
        process: ProcessId,
        caller: Caller,
    ) -> Called<(usize, TimerCallback)> {
        let callbacks = &mut self.process(process).callbacks;
        while let Some(number) = callbacks.servants(caller).due.pop_front() {
            let timer = callbacks.timers.get_mut(&number);
            if let Some(timer) = timer
                && timer.owed > 0
                && let Some(callback) = timer.callback.take()
            {
                timer.owed -= 1;
                return Called::Done((number, ManuallyDrop::into_inner(callback)));
            }
        }
        let what = "a timer that calls back";
        let waiter = kernel.block(Reason { what, number: 0 }, None);
        callbacks.servants(caller).idle.add(kernel, waiter);
        Called::Waits
    }

    /// A call is over: the timer has its function back, unless it was deleted meanwhile.
    fn call_is_over(
        &mut self,
        kernel: &mut WindowsKernel,
        key: CallbackKey,
        callback: TimerCallback,
    ) -> Option<TimerCallback> {
        let Some(timer) = self.callback_timer(key) else {
            return Some(callback);
        };
        timer.callback = Some(ManuallyDrop::new(callback));
        timer.enders.wake_all(kernel, Wake::Called);
        let caller = timer.caller;
        if timer.deleted {
            let timers = &mut self.process(key.process).callbacks.timers;
            let timer = timers.remove(&key.number)?;
            return timer.callback.map(ManuallyDrop::into_inner);
        }
        if timer.owed > 0 {
            // Nothing need be woken: whoever made this call looks for the next.
            let callbacks = &mut self.process(key.process).callbacks;
            callbacks.servants(caller).due.push_back(key.number);
        }
        None
    }

    /// Stops a timer. `None` if it is not the calling process's; else its function if it is not running,
    /// which is the caller's to drop.
    pub(crate) fn stop_callbacks(
        &mut self,
        kernel: &mut WindowsKernel,
        key: CallbackKey,
    ) -> Option<Stopped> {
        if key.process != kernel.current_process() {
            return None;
        }
        let timer = self.callback_timer(key).filter(|timer| !timer.deleted)?;
        timer.deleted = true;
        let (alarm, request) = (timer.alarm.take(), timer.request.take());
        let is_running = timer.callback.is_none();
        if let Some(alarm) = alarm {
            self.cancel_alarm(kernel, alarm);
        }
        if let Some(request) = request {
            self.end_request(kernel, key.process, request);
        }
        if is_running {
            return Some(Stopped::Running);
        }
        let timers = &mut self.process(key.process).callbacks.timers;
        let callback = timers
            .remove(&key.number)?
            .callback
            .map(ManuallyDrop::into_inner);
        Some(Stopped::Idle(callback))
    }

    /// Waits until the call under way of a timer is over; `false` if there is none.
    pub(crate) fn await_call(&mut self, kernel: &mut WindowsKernel, key: CallbackKey) -> bool {
        self.await_end(kernel, key, |timer| timer.callback.is_none())
    }

    /// The same, for the calls that it owes, too.
    fn await_calls(&mut self, kernel: &mut WindowsKernel, key: CallbackKey) -> bool {
        self.await_end(kernel, key, |timer| {
            timer.callback.is_none() || timer.owed > 0
        })
    }

    fn await_end(
        &mut self,
        kernel: &mut WindowsKernel,
        key: CallbackKey,
        has_calls: impl FnOnce(&Timer) -> bool,
    ) -> bool {
        let timer = self.callback_timer(key);
        let Some(timer) = timer.filter(|timer| has_calls(timer)) else {
            return false;
        };
        let what = "the end of a timer's call";
        let number = key.number as u64;
        let waiter = kernel.block(Reason { what, number }, None);
        timer.enders.add(kernel, waiter);
        true
    }
}

/// What became of a timer that was stopped.
pub(crate) enum Stopped {
    Idle(Option<TimerCallback>),
    /// Its call is under way.
    Running,
}

/// What the threads do that make the calls. Callbacks are dropped here, outside of the model: a
/// destructor may make calls, too.
fn serve(process: ProcessId, caller: Caller) {
    loop {
        let next = call_and_wait(|model: &mut WindowsModel, kernel| {
            model.next_call(kernel, process, caller)
        });
        let Returned::Done((number, mut callback)) = next else {
            continue;
        };
        callback();
        let key = CallbackKey { process, number };
        drop(call(|model: &mut WindowsModel, kernel| {
            kernel.charge(model.costs.call);
            model.call_is_over(kernel, key, callback)
        }));
    }
}

/// Which threads make the calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caller {
    /// `WT_EXECUTEDEFAULT`: threads of the pool.
    Pool,
    /// `WT_EXECUTEINTIMERTHREAD`: the thread that serves the timer queue.
    TimerThread,
    /// Threads of the pool, for a timer of the pool itself.
    PoolTimer,
    /// Multimedia timers have an urgent thread of their own.
    Multimedia,
}

/// The most threads a pool starts: the default of Windows' own.
const MOST_POOL_THREADS: usize = 500;

/// A multimedia timer's thread is time-critical.
const MULTIMEDIA_PRIORITY: u8 = 15;

impl Caller {
    fn wait_kind(self) -> WaitKind {
        match self {
            // From Windows 7 on, timer queues are made of timers of the pool.
            Self::Pool | Self::TimerThread | Self::PoolTimer => WaitKind::TimerQueue,
            Self::Multimedia => WaitKind::Ordinary,
        }
    }

    fn most_threads(self) -> usize {
        match self {
            Self::Pool | Self::PoolTimer => MOST_POOL_THREADS,
            Self::TimerThread | Self::Multimedia => 1,
        }
    }

    pub(super) fn start(self, kernel: &WindowsKernel) -> Start {
        let ordinary = ordinary(kernel);
        match self {
            Self::Pool | Self::TimerThread | Self::PoolTimer => ordinary,
            Self::Multimedia => Start {
                priority: MULTIMEDIA_PRIORITY,
                ..ordinary
            },
        }
    }

    fn thread_name(self) -> &'static str {
        match self {
            Self::Pool | Self::PoolTimer => "timer pool",
            Self::TimerThread => "timer queue",
            Self::Multimedia => "multimedia timers",
        }
    }
}

/// Waits for the call under way of a timer, and for those that are due unless they are dropped.
pub(crate) fn await_pool_timer(key: CallbackKey, cancel_pending: bool) {
    loop {
        let returned = call_and_wait(|model: &mut WindowsModel, kernel| {
            kernel.charge(model.costs.call);
            model.await_pool_timer(kernel, key, cancel_pending)
        });
        if let Returned::Done(()) = returned {
            return;
        }
    }
}

impl WindowsModel {
    /// Makes a timer of the calling process, inactive.
    pub(crate) fn make_pool_timer(
        &mut self,
        kernel: &mut WindowsKernel,
        callback: TimerCallback,
    ) -> CallbackKey {
        let process = kernel.current_process();
        let callbacks = &mut self.process(process).callbacks;
        callbacks.made += 1;
        let number = callbacks.made;
        let timer = Timer::new(callback, Caller::PoolTimer);
        callbacks.timers.insert(number, timer);
        CallbackKey { process, number }
    }

    /// Sets it, or without a setting makes it inactive. Calls that are due already are still made.
    pub(crate) fn set_pool_timer(
        &mut self,
        kernel: &mut WindowsKernel,
        key: CallbackKey,
        setting: Option<Setting>,
    ) {
        if key.process != kernel.current_process() {
            return;
        }
        let alarm = self
            .callback_timer(key)
            .and_then(|timer| timer.alarm.take());
        if let Some(alarm) = alarm {
            self.cancel_alarm(kernel, alarm);
        }
        let due = setting.and_then(|setting| self.due(kernel, setting.until));
        let (Some(setting), Some(due)) = (setting, due) else {
            return;
        };
        // One that was due long ago is due now: its periods do not count from then.
        let last_tick = self.ticks_around(kernel.now()).last;
        let (is_over, due) = (due <= last_tick, due.max(last_tick));
        let rules = *self.timer.rules();
        let kind = Caller::PoolTimer.wait_kind();
        if let Some(timer) = self.callback_timer(key) {
            let period = setting.period;
            timer.periodic = period.map(|period| Periodic::new(&rules, kind, due, period));
            timer.window = tolerance(&rules, setting.tolerable_delay);
        }
        if is_over {
            self.fire(kernel, key, due);
        } else {
            self.set_callback_alarm(kernel, key, due);
        }
    }

    fn await_pool_timer(
        &mut self,
        kernel: &mut WindowsKernel,
        key: CallbackKey,
        cancel_pending: bool,
    ) -> Called<()> {
        if key.process != kernel.current_process() {
            return Called::Done(());
        }
        if cancel_pending && let Some(timer) = self.callback_timer(key) {
            timer.owed = 0;
        }
        if self.await_calls(kernel, key) {
            Called::Waits
        } else {
            Called::Done(())
        }
    }
}
