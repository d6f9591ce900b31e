//! Timers that call a function of the program: timer queues and multimedia timers.
//!
//! The functions run on threads of the process, which are started when they are first needed: one
//! that serves the timer queue, more that it hands calls to, and an urgent one for multimedia
//! timers.

use super::alarms::AlarmId;
use super::model::{Target, Wake, WindowsKernel, WindowsModel};
use super::process::ordinary;
use crate::windows::{Periodic, WaitKind};
use crate::{Called, ProcessId, Reason, Returned, Start, WaitList, WakeOrder, call, call_and_wait};
use punctual::Instant;
use punctual::os::windows::TimerCallback;
use std::collections::{BTreeMap, VecDeque};
use std::mem::ManuallyDrop;
use std::time::Duration;

/// Names a timer: its process, and its number there, which none other ever has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CallbackKey {
    pub(super) process: ProcessId,
    pub(super) number: usize,
}

/// Which threads make the calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Caller {
    /// `WT_EXECUTEDEFAULT`: threads of the pool.
    Pool,
    /// `WT_EXECUTEINTIMERTHREAD`: the thread that serves the timer queue.
    TimerThread,
    /// Multimedia timers have an urgent thread of their own.
    Multimedia,
}

/// What is to be called, when, and by whom.
pub(super) struct Plan {
    pub(super) caller: Caller,
    pub(super) first_due: Duration,
    pub(super) period: Option<Duration>,
    /// The request that is held as long as it is active (C12).
    pub(super) request: Option<Duration>,
}

/// All such timers of a process, and the threads that serve them.
#[derive(Default)]
pub(super) struct Callbacks {
    timers: BTreeMap<usize, Timer>,
    made: usize,
    pool: Servants,
    timer_thread: Servants,
    multimedia: Servants,
}

struct Timer {
    /// Away while it runs. Never dropped from here: its destructor is part of the program, and the
    /// machine runs none of a program that was cut off.
    callback: Option<ManuallyDrop<TimerCallback>>,
    caller: Caller,
    alarm: Option<AlarmId>,
    periodic: Option<Periodic>,
    request: Option<Duration>,
    /// Calls that are due and have not begun.
    owed: u128,
    /// Whoever waits for a call under way, to see the timer gone.
    deleters: WaitList,
    deleted: bool,
}

#[derive(Default)]
struct Servants {
    threads: usize,
    idle: WaitList,
    due: VecDeque<usize>,
}

/// The most threads a pool starts: the default of Windows' own.
const MOST_POOL_THREADS: usize = 500;

/// A multimedia timer's thread is time-critical.
const MULTIMEDIA_PRIORITY: u8 = 15;

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
            Caller::Pool => &mut self.pool,
            Caller::TimerThread => &mut self.timer_thread,
            Caller::Multimedia => &mut self.multimedia,
        }
    }
}

impl Caller {
    fn wait_kind(self) -> WaitKind {
        match self {
            Self::Pool | Self::TimerThread => WaitKind::TimerQueue,
            Self::Multimedia => WaitKind::Ordinary,
        }
    }

    fn most_threads(self) -> usize {
        match self {
            Self::Pool => MOST_POOL_THREADS,
            Self::TimerThread | Self::Multimedia => 1,
        }
    }

    fn start(self, kernel: &WindowsKernel) -> Start {
        let ordinary = ordinary(kernel);
        match self {
            Self::Pool | Self::TimerThread => ordinary,
            Self::Multimedia => Start {
                priority: MULTIMEDIA_PRIORITY,
                ..ordinary
            },
        }
    }

    fn thread_name(self) -> &'static str {
        match self {
            Self::Pool => "timer pool",
            Self::TimerThread => "timer queue",
            Self::Multimedia => "multimedia timers",
        }
    }
}

impl WindowsModel {
    /// Starts a timer of the calling process and returns its number.
    pub(super) fn start_callbacks(
        &mut self,
        kernel: &mut WindowsKernel,
        callback: TimerCallback,
        plan: &Plan,
    ) -> usize {
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
        let timer = Timer {
            callback: Some(ManuallyDrop::new(callback)),
            caller: plan.caller,
            alarm: None,
            periodic: plan
                .period
                .map(|period| Periodic::new(&rules, kind, due, period)),
            request: plan.request,
            owed: 0,
            deleters: WaitList::default(),
            deleted: false,
        };
        callbacks.timers.insert(number, timer);
        let key = CallbackKey { process, number };
        if self.is_over(kernel, due) {
            // What else falls due before the next tick waits for it.
            self.fire(kernel, key, due);
        } else {
            self.set_callback_alarm(kernel, key, due);
        }
        number
    }

    fn set_callback_alarm(&mut self, kernel: &mut WindowsKernel, key: CallbackKey, due: Instant) {
        let Some(caller) = self.callback_timer(key).map(|timer| timer.caller) else {
            return;
        };
        let class = self.class_of(key.process, caller.wait_kind());
        let alarm = self.set_alarm(kernel, class, due, Target::Callback(key));
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

    fn fire(&mut self, kernel: &mut WindowsKernel, key: CallbackKey, tick: Instant) {
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
        let caller = timer.caller;
        if timer.deleted {
            let timer = self
                .process(key.process)
                .callbacks
                .timers
                .remove(&key.number);
            let mut timer = timer?;
            timer.deleters.wake_all(kernel, Wake::Called);
            return timer.callback.map(ManuallyDrop::into_inner);
        }
        if timer.owed > 0 {
            // Nobody need be woken: whoever made this call looks for the next.
            let callbacks = &mut self.process(key.process).callbacks;
            callbacks.servants(caller).due.push_back(key.number);
        }
        None
    }

    /// Stops a timer of the calling process. `None` if there is none of this number; else its
    /// function if it is not running, which is the caller's to drop.
    pub(super) fn stop_callbacks(
        &mut self,
        kernel: &mut WindowsKernel,
        key: CallbackKey,
    ) -> Option<Stopped> {
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
        let timer = self
            .process(key.process)
            .callbacks
            .timers
            .remove(&key.number);
        let callback = timer?.callback.map(ManuallyDrop::into_inner);
        Some(Stopped::Idle(callback))
    }

    /// Waits until the call under way of a stopped timer is over; `false` if it is.
    pub(super) fn await_call(&mut self, kernel: &mut WindowsKernel, key: CallbackKey) -> bool {
        let Some(timer) = self.callback_timer(key) else {
            return false;
        };
        let what = "the end of a timer's call";
        let number = key.number as u64;
        let waiter = kernel.block(Reason { what, number }, None);
        timer.deleters.add(kernel, waiter);
        true
    }

    pub(super) fn is_called_by(&mut self, key: CallbackKey, multimedia: bool) -> bool {
        let timer = self.callback_timer(key);
        timer.is_some_and(|timer| (timer.caller == Caller::Multimedia) == multimedia)
    }
}

/// What became of a timer that was stopped.
pub(super) enum Stopped {
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
