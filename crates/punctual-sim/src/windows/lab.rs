//! The calls that only experiments make.

use super::Generation;
use super::model::callbacks::{Caller, Plan};
use super::model::messages::get_message;
use super::model::resolution::CAPABILITIES;
use super::model::system_clock::{due_time, units};
use super::model::timers::Setting;
use super::model::waiting::{Until, delay};
use super::model::{WindowsKernel, WindowsModel};
use super::owned::{SimMultimediaTimer, SimPoolTimer, SimQueueTimer};
use super::program::{SimWin32, call_system, look};
use punctual::os::windows::{Waited, Win32Error};
use punctual_windows::multimedia_request;
use punctual_windows::os::windows::{
    Message, SystemTime, TimeAdjustment, TimerCallback, TimerId, WT_EXECUTEINTIMERTHREAD, Win32Lab,
};
use std::path::PathBuf;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

impl Win32Lab for SimWin32 {
    type QueueTimer = SimQueueTimer;
    type PoolTimer = SimPoolTimer;
    type MultimediaTimer = SimMultimediaTimer;

    #[inline(always)]
    fn sleep(&self, milliseconds: u32) {
        delay(Until::milliseconds(milliseconds));
    }

    fn sleep_ex(&self, milliseconds: u32, _alertable: bool) -> u32 {
        // There are no completion routines that could end it.
        delay(Until::milliseconds(milliseconds));
        0
    }

    fn nt_delay_execution(&self, _alertable: bool, units: i64) -> Result<(), Win32Error> {
        delay(due_time(units));
        Ok(())
    }

    fn wait_on_address(
        &self,
        value: &AtomicU32,
        compare: u32,
        milliseconds: u32,
    ) -> Result<Waited, Win32Error> {
        look(|model, _| model.generation.needs(Generation::Eight))?;
        if value.load(Relaxed) != compare {
            return Ok(Waited::Object(0));
        }
        // There is no call that would wake it.
        delay(Until::milliseconds(milliseconds));
        Ok(Waited::Timeout)
    }

    fn nt_set_timer_resolution(&self, desired: u32, set: bool) -> Result<u32, Win32Error> {
        call_system(|model, kernel| model.set_kernel_request(kernel, desired, set))
    }

    fn create_timer_queue_timer(
        &self,
        callback: TimerCallback,
        due_time: u32,
        period: u32,
        flags: u32,
    ) -> Result<SimQueueTimer, Win32Error> {
        let caller = if flags & WT_EXECUTEINTIMERTHREAD == 0 {
            Caller::Pool
        } else {
            Caller::TimerThread
        };
        let plan = Plan {
            caller,
            first_due: milliseconds(due_time),
            period: (period > 0).then(|| milliseconds(period)),
            request: None,
        };
        let key = call_system(|model, kernel| model.start_callbacks(kernel, callback, &plan));
        Ok(SimQueueTimer::new(key))
    }

    fn create_threadpool_timer(&self, callback: TimerCallback) -> Result<SimPoolTimer, Win32Error> {
        let made = call_system(|model, kernel| {
            model.generation.needs(Generation::Seven)?;
            Ok(model.make_pool_timer(kernel, callback))
        });
        made.map(SimPoolTimer::new)
    }

    fn set_threadpool_timer(
        &self,
        timer: &SimPoolTimer,
        due: Option<i64>,
        period: u32,
        window_length: u32,
    ) {
        let setting = due.map(|units| Setting {
            until: due_time(units),
            period: (period > 0).then(|| milliseconds(period)),
            tolerable_delay: milliseconds(window_length),
        });
        timer.set(setting);
    }

    fn wait_for_threadpool_timer_callbacks(&self, timer: &SimPoolTimer, cancel_pending: bool) {
        timer.wait_for_callbacks(cancel_pending);
    }

    fn time_set_event(
        &self,
        delay: u32,
        resolution: u32,
        callback: TimerCallback,
        periodic: bool,
    ) -> Result<SimMultimediaTimer, Win32Error> {
        if !(CAPABILITIES.period_min..=CAPABILITIES.period_max).contains(&delay) {
            return Err(Win32Error::NO_CAN_DO);
        }
        let delay = milliseconds(delay);
        let plan = Plan {
            caller: Caller::Multimedia,
            first_due: delay,
            period: periodic.then_some(delay),
            request: Some(multimedia_request(milliseconds(resolution))),
        };
        let key = call_system(|model, kernel| model.start_callbacks(kernel, callback, &plan));
        Ok(SimMultimediaTimer::new(key))
    }

    fn set_timer(&self, elapse: u32) -> Result<TimerId, Win32Error> {
        let elapse = milliseconds(elapse);
        let number = call_system(|model, kernel| model.start_message_timer(kernel, elapse));
        Ok(TimerId(number))
    }

    fn kill_timer(&self, timer: TimerId) -> Result<(), Win32Error> {
        call_system(|model, kernel| model.stop_message_timer(kernel, timer.0))
    }

    fn get_message(&self) -> Result<Message, Win32Error> {
        Ok(get_message())
    }

    fn time_get_time(&self) -> u32 {
        look(|model, kernel| wrapped(model.timer.clock().time_get_time(kernel.now())))
    }

    fn get_tick_count(&self) -> u32 {
        look(|model, kernel| wrapped(tick_count(model, kernel.now())))
    }

    fn get_tick_count64(&self) -> Result<u64, Win32Error> {
        look(|model, kernel| {
            model.generation.needs(Generation::Seven)?;
            Ok(tick_count(model, kernel.now()))
        })
    }

    fn get_system_time_as_file_time(&self) -> SystemTime {
        look(|model, kernel| model.system_time(kernel))
    }

    fn get_system_time_precise_as_file_time(&self) -> Result<SystemTime, Win32Error> {
        look(|model, kernel| {
            model.generation.needs(Generation::Eight)?;
            Ok(WindowsModel::precise_system_time(kernel))
        })
    }

    /// These clocks are never adjusted.
    fn get_system_time_adjustment(&self) -> Result<TimeAdjustment, Win32Error> {
        let interval = look(|model, _| model.timer.parameters().default_interval);
        let increment = units(interval);
        Ok(TimeAdjustment {
            adjustment: increment,
            increment,
            is_disabled: true,
        })
    }

    fn query_interrupt_time(&self) -> Result<u64, Win32Error> {
        interrupt_time(Generation::Ten, WindowsModel::interrupt_time)
    }

    fn query_interrupt_time_precise(&self) -> Result<u64, Win32Error> {
        interrupt_time(Generation::Ten, |_, kernel| {
            WindowsModel::precise_interrupt_time(kernel)
        })
    }

    /// These machines never sleep, so there is nothing to leave out.
    fn query_unbiased_interrupt_time(&self) -> Result<u64, Win32Error> {
        interrupt_time(Generation::Seven, WindowsModel::interrupt_time)
    }

    fn query_unbiased_interrupt_time_precise(&self) -> Result<u64, Win32Error> {
        self.query_interrupt_time_precise()
    }

    /// Where it is on most machines. A simulated one has no files.
    fn get_system_directory_w(&self) -> Result<PathBuf, Win32Error> {
        Ok(look(|_, _| r"C:\Windows\System32").into())
    }
}

fn interrupt_time(
    first: Generation,
    read: fn(&WindowsModel, &WindowsKernel) -> u64,
) -> Result<u64, Win32Error> {
    look(|model, kernel| {
        model.generation.needs(first)?;
        Ok(read(model, kernel))
    })
}

fn milliseconds(count: u32) -> Duration {
    Duration::from_millis(u64::from(count))
}

fn tick_count(model: &WindowsModel, now: punctual::Instant) -> u64 {
    model
        .timer
        .clock()
        .tick_count(now, model.timer.parameters())
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "these clocks wrap after 49.7 days"
)]
fn wrapped(millis: u64) -> u32 {
    millis as u32
}
