//! Timers of the thread pool: made once, set as often as wanted, called back by the pool. Those of another
//! process cannot be used.

use super::callbacks::{CallbackKey, Timer};
use super::callers::Caller;
use super::timers::Setting;
use super::{WindowsKernel, WindowsModel};
use crate::{Called, Returned, call_and_wait};
use punctual_windows::Periodic;
use punctual_windows::expiry::tolerance;
use punctual_windows::os::windows::TimerCallback;

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
