//! The operating system on the engine: what it holds, and what its alarms end.
//!
//! What a [tick](ticks) finds due is dispatched by a deferred call on its processor.

mod alarms;
pub(super) mod callbacks;
pub(super) mod messages;
mod multimedia_class;
pub(super) mod objects;
mod one_shots;
mod process;
pub(super) mod resolution;
pub(super) mod system_clock;
mod ticks;
pub(super) mod timers;
pub(super) mod waiting;

use super::{Costs, Generation};
use crate::random::Random;
use crate::{Exit, Kernel, Model, NORMAL_PRIORITY, ProcessId, Start, ThreadId, Waiter, What};
use alarms::{AlarmId, Alarms};
use callbacks::CallbackKey;
use messages::MessageQueue;
use multimedia_class::Task;
use objects::{ObjectKey, SettingId};
use process::{ProcessState, Watch};
use punctual::Instant;
use punctual_windows::{Class, Requester, TimerInterrupt};
use std::collections::BTreeMap;
use ticks::Ticks;

/// Timer interrupts and what they dispatch belong to this processor.
const CLOCK_PROCESSOR: usize = 0;

/// The purpose of the stream of interrupt latencies.
const LATENCIES: u64 = 1 << 32;

pub(crate) struct WindowsModel {
    pub(super) generation: Generation,
    pub(super) costs: Costs,
    pub(super) timer: TimerInterrupt,
    latencies: Random,
    last_setting: SettingId,
    /// By process number.
    pub(super) processes: Vec<ProcessState>,
    watches: BTreeMap<ProcessId, Watch>,
    messages: BTreeMap<ThreadId, MessageQueue>,
    /// Threads in the care of the multimedia class scheduler.
    tasks: BTreeMap<ThreadId, Task>,
    /// By thread number: what ends the thread's wait if nothing else does.
    timeouts: Vec<Option<AlarmId>>,
    alarms: Alarms<Target>,
    ticks: Ticks,
    expired: Vec<Expired>,
}

/// What an alarm is for.
#[derive(Debug, Clone, Copy)]
enum Target {
    /// The end of a wait with a timeout.
    Timeout(Waiter),
    Timer(ObjectKey),
    Callback(CallbackKey),
    /// A message timer of a thread, by its number.
    Message(ThreadId, usize),
}

/// An alarm on its way from the interrupt to its target.
struct Expired {
    target: Target,
    alarm: AlarmId,
    tick: Instant,
}

#[derive(Debug)]
pub(crate) enum Event {
    Tick(Instant),
    /// The deferred call that a tick asks for.
    Dispatch,
    /// A one-shot interrupt for a high-resolution timer.
    OneShot(ObjectKey),
    /// Its interrupt looks at a high-resolution timer.
    Look(ObjectKey),
    /// The deferred call that such an interrupt asks for.
    Signal(ObjectKey, SettingId),
}

/// What ends a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wake {
    TimedOut,
    /// The object in this place of the process's table.
    Object(u32),
    /// There is something to do: look again.
    Called,
}

pub(super) type WindowsKernel = Kernel<WindowsModel>;

impl WindowsModel {
    pub(super) fn new(
        generation: Generation,
        costs: Costs,
        timer: TimerInterrupt,
        seed: u64,
    ) -> Self {
        Self {
            generation,
            costs,
            timer,
            latencies: Random::stream(seed, LATENCIES),
            last_setting: SettingId::default(),
            processes: Vec::new(),
            watches: BTreeMap::new(),
            messages: BTreeMap::new(),
            tasks: BTreeMap::new(),
            timeouts: Vec::new(),
            alarms: Alarms::new(),
            ticks: Ticks::default(),
            expired: Vec::new(),
        }
    }

    /// Sets an alarm for the first tick of its class from `due` on.
    fn set_alarm(
        &mut self,
        kernel: &mut WindowsKernel,
        class: Class,
        due: Instant,
        target: Target,
    ) -> AlarmId {
        self.set_tolerant_alarm(kernel, class, due..=due, target)
    }

    /// Sets an alarm that may go off at any tick that has something to do within a time, and must
    /// at the end of it.
    fn set_tolerant_alarm(
        &mut self,
        kernel: &mut WindowsKernel,
        class: Class,
        within: std::ops::RangeInclusive<Instant>,
        target: Target,
    ) -> AlarmId {
        let id = self
            .alarms
            .set(class, *within.start(), *within.end(), target);
        kernel.note(What::TimerArmed {
            timer: id.number(),
            earliest: *within.start(),
        });
        // The first of a class alone decides its next tick.
        if self.alarms.is_first(id) {
            self.schedule_tick_of(kernel, class);
        }
        id
    }

    fn cancel_alarm(&mut self, kernel: &mut WindowsKernel, id: AlarmId) {
        kernel.note(What::TimerCancelled { timer: id.number() });
        if self.alarms.cancel(id) {
            self.schedule_tick_of(kernel, id.class());
        }
    }

    fn dispatch(&mut self, kernel: &mut WindowsKernel) {
        let mut expired = std::mem::take(&mut self.expired);
        for Expired {
            target,
            alarm,
            tick,
        } in expired.drain(..)
        {
            let timer = alarm.number();
            kernel.note(What::TimerExpired { timer });
            match target {
                Target::Timeout(waiter) => {
                    if kernel.wake(waiter, Wake::TimedOut) {
                        self.timeouts[waiter.thread().index()] = None;
                    }
                }
                Target::Timer(key) => self.timer_expires(kernel, key, alarm, tick),
                Target::Callback(key) => self.callback_expires(kernel, key, alarm, tick),
                Target::Message(thread, timer) => {
                    self.message_expires(kernel, thread, timer, alarm, tick);
                }
            }
            kernel.note(What::TimerHandled { timer });
        }
        self.expired = expired;
    }

    /// Ends a wait, and with it the timeout it may have had.
    #[inline(always)]
    fn wake(&mut self, kernel: &mut WindowsKernel, waiter: Waiter, result: Wake) {
        if kernel.wake(waiter, result) {
            self.forget_timeout(kernel, waiter.thread());
        }
    }

    /// The wait ends when this much time has passed, if nothing else ends it.
    fn time_out(&mut self, kernel: &mut WindowsKernel, waiter: Waiter, class: Class, due: Instant) {
        let alarm = self.set_alarm(kernel, class, due, Target::Timeout(waiter));
        let index = waiter.thread().index();
        if self.timeouts.len() <= index {
            self.timeouts.resize(index + 1, None);
        }
        self.timeouts[index] = Some(alarm);
    }

    #[inline]
    fn forget_timeout(&mut self, kernel: &mut WindowsKernel, thread: ThreadId) {
        let alarm = self.timeouts.get_mut(thread.index()).and_then(Option::take);
        if let Some(alarm) = alarm {
            self.cancel_alarm(kernel, alarm);
        }
    }

    pub(super) fn process(&mut self, process: ProcessId) -> &mut ProcessState {
        let index = process.index();
        if self.processes.len() <= index {
            self.processes.resize_with(index + 1, ProcessState::default);
        }
        &mut self.processes[index]
    }
}

impl Model for WindowsModel {
    type Event = Event;
    type Wake = Wake;

    fn event(&mut self, kernel: &mut WindowsKernel, event: Event) {
        match event {
            Event::Tick(at) => self.tick(kernel, at),
            Event::Dispatch => self.dispatch(kernel),
            Event::OneShot(timer) => self.one_shot(kernel, timer),
            Event::Look(timer) => self.look(kernel, timer),
            Event::Signal(timer, setting) => self.signal_one_shots(kernel, timer, setting),
        }
    }

    fn thread_ended(&mut self, kernel: &mut WindowsKernel, thread: ThreadId) {
        self.forget_timeout(kernel, thread);
        self.forget_messages(kernel, thread);
        self.tasks.remove(&thread);
    }

    fn process_ended(&mut self, kernel: &mut WindowsKernel, process: ProcessId, exit: &Exit) {
        let state = std::mem::take(self.process(process));
        for alarm in state.alarms() {
            self.alarms.cancel(alarm);
        }
        for event in state.one_shots() {
            kernel.cancel(event);
        }
        self.timer
            .exit(kernel.now(), Requester::Process(number_of(process)));
        self.schedule_tick(kernel);
        self.tell_end(kernel, process, exit);
    }
}

/// A process as the rules know it.
pub(super) fn number_of(process: ProcessId) -> u32 {
    u32::try_from(process.index()).expect("a table of processes is small")
}

/// How an ordinary thread starts.
pub(super) fn ordinary(kernel: &WindowsKernel) -> Start {
    Start {
        priority: NORMAL_PRIORITY,
        affinity: kernel.all_processors(),
        background: false,
    }
}
