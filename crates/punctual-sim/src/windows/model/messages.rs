//! Message timers: `SetTimer`, and the message loop that hears of them (C11).

use super::alarms::AlarmId;
use super::{Target, Wake, WindowsKernel, WindowsModel};
use crate::{Called, Reason, Returned, ThreadId, WaitList, WakeOrder, call_and_wait};
use punctual::Instant;
use punctual::os::windows::Win32Error;
use punctual_windows::WaitKind;
use punctual_windows::expiry::{message_due_time, message_timer};
use punctual_windows::os::windows::{Message, WM_TIMER};
use std::collections::BTreeMap;
use std::time::Duration;

/// The message queue of a thread, as far as timers fill it.
#[derive(Debug, Default)]
pub(super) struct MessageQueue {
    timers: BTreeMap<usize, MessageTimer>,
    made: usize,
    /// Timers whose messages wait to be taken, oldest first: one each at most.
    pending: Vec<usize>,
    waiters: WaitList,
}

#[derive(Debug)]
struct MessageTimer {
    elapse: Duration,
    alarm: AlarmId,
}

/// Waits for the next message to the calling thread.
pub(crate) fn get_message() -> Message {
    loop {
        let returned = call_and_wait(|model: &mut WindowsModel, kernel| {
            kernel.charge(model.costs.call);
            model.take_message(kernel)
        });
        if let Returned::Done(message) = returned {
            return message;
        }
    }
}

impl WindowsModel {
    /// Starts a message timer of the calling thread and returns its number.
    pub(crate) fn start_message_timer(
        &mut self,
        kernel: &mut WindowsKernel,
        elapse: Duration,
    ) -> usize {
        let thread = kernel.current_thread();
        let queue = self.messages.entry(thread).or_default();
        queue.made += 1;
        let number = queue.made;
        self.arm_message_timer(kernel, thread, number, message_timer(elapse), kernel.now());
        number
    }

    fn arm_message_timer(
        &mut self,
        kernel: &mut WindowsKernel,
        thread: ThreadId,
        number: usize,
        elapse: Duration,
        from: Instant,
    ) {
        let Some(process) = kernel.process_of(thread) else {
            return;
        };
        let due = message_due_time(self.timer.clock(), from, elapse);
        let class = self.class_of(process, WaitKind::Ordinary);
        let target = Target::Message(thread, number);
        let alarm = self.set_alarm(kernel, class, due, target);
        let queue = self.messages.entry(thread).or_default();
        queue.timers.insert(number, MessageTimer { elapse, alarm });
    }

    /// Ends a message timer of the calling thread. A message already sent stays.
    pub(crate) fn stop_message_timer(
        &mut self,
        kernel: &mut WindowsKernel,
        number: usize,
    ) -> Result<(), Win32Error> {
        let queue = self.messages.get_mut(&kernel.current_thread());
        let timer = queue.and_then(|queue| queue.timers.remove(&number));
        let timer = timer.ok_or(Win32Error::INVALID_PARAMETER)?;
        self.cancel_alarm(kernel, timer.alarm);
        Ok(())
    }

    /// A tick has found a timer due. It may have been killed since.
    pub(super) fn message_expires(
        &mut self,
        kernel: &mut WindowsKernel,
        thread: ThreadId,
        number: usize,
        alarm: AlarmId,
        tick: Instant,
    ) {
        let Some(queue) = self.messages.get_mut(&thread) else {
            return;
        };
        let Some(timer) = queue
            .timers
            .get(&number)
            .filter(|timer| timer.alarm == alarm)
        else {
            return;
        };
        let elapse = timer.elapse;
        if !queue.pending.contains(&number) {
            queue.pending.push(number);
        }
        let waiter = queue.waiters.take(kernel, WakeOrder::Fifo);
        self.arm_message_timer(kernel, thread, number, elapse, tick);
        if let Some(waiter) = waiter {
            self.wake(kernel, waiter, Wake::Called);
        }
    }

    fn take_message(&mut self, kernel: &mut WindowsKernel) -> Called<Message> {
        let thread = kernel.current_thread();
        let queue = self.messages.entry(thread).or_default();
        if !queue.pending.is_empty() {
            return Called::Done(Message {
                message: WM_TIMER,
                w_param: queue.pending.remove(0),
            });
        }
        let what = "a message";
        let waiter = kernel.block(Reason { what, number: 0 }, None);
        queue.waiters.add(kernel, waiter);
        Called::Waits
    }

    pub(super) fn forget_messages(&mut self, kernel: &mut WindowsKernel, thread: ThreadId) {
        let queue = self.messages.remove(&thread);
        for timer in queue
            .into_iter()
            .flat_map(|queue| queue.timers.into_values())
        {
            self.cancel_alarm(kernel, timer.alarm);
        }
    }
}
