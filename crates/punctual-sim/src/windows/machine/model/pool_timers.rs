//! Timers of the thread pool: made once, set as often as wanted, called back by the pool.

use super::callbacks::{CallbackKey, Timer};
use super::callers::{Api, Caller};
use super::timers::Setting;
use super::{WindowsKernel, WindowsModel};
use crate::windows::Periodic;
use crate::windows::expiry::tolerance;
use crate::{Called, Returned, call_and_wait};
use punctual::os::windows::{TimerCallback, Win32Error};

/// Waits for the call under way of a timer, and for those that are due unless they are dropped.
pub(crate) fn await_pool_timer(number: usize, cancel_pending: bool) -> Result<(), Win32Error> {
    loop {
        let returned = call_and_wait(|model: &mut WindowsModel, kernel| {
            kernel.charge(model.costs.call);
            model.await_pool_timer(kernel, number, cancel_pending)
        });
        if let Returned::Done(result) = returned {
            return result;
        }
    }
}

impl WindowsModel {
    /// Makes a timer of the calling process, inactive, and returns its number.
    pub(crate) fn make_pool_timer(
        &mut self,
        kernel: &mut WindowsKernel,
        callback: TimerCallback,
    ) -> usize {
        let callbacks = &mut self.process(kernel.current_process()).callbacks;
        callbacks.made += 1;
        let number = callbacks.made;
        let timer = Timer::new(callback, Caller::PoolTimer);
        callbacks.timers.insert(number, timer);
        number
    }

    /// Sets it, or without a setting makes it inactive. Calls that are due already are still made.
    pub(crate) fn set_pool_timer(
        &mut self,
        kernel: &mut WindowsKernel,
        number: usize,
        setting: Option<Setting>,
    ) -> Result<(), Win32Error> {
        let key = self.pool_timer_of_caller(kernel, number)?;
        let alarm = self
            .callback_timer(key)
            .and_then(|timer| timer.alarm.take());
        if let Some(alarm) = alarm {
            self.cancel_alarm(kernel, alarm);
        }
        let due = setting.and_then(|setting| self.due(kernel, setting.until));
        let (Some(setting), Some(due)) = (setting, due) else {
            return Ok(());
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
        Ok(())
    }

    fn await_pool_timer(
        &mut self,
        kernel: &mut WindowsKernel,
        number: usize,
        cancel_pending: bool,
    ) -> Called<Result<(), Win32Error>> {
        let key = match self.pool_timer_of_caller(kernel, number) {
            Ok(key) => key,
            Err(error) => return Called::Done(Err(error)),
        };
        if cancel_pending && let Some(timer) = self.callback_timer(key) {
            timer.owed = 0;
        }
        if self.await_calls(kernel, key) {
            Called::Waits
        } else {
            Called::Done(Ok(()))
        }
    }

    fn pool_timer_of_caller(
        &mut self,
        kernel: &WindowsKernel,
        number: usize,
    ) -> Result<CallbackKey, Win32Error> {
        let process = kernel.current_process();
        let key = CallbackKey { process, number };
        if self.is_of(key, Api::ThreadPool) {
            Ok(key)
        } else {
            Err(Win32Error::INVALID_HANDLE)
        }
    }
}
