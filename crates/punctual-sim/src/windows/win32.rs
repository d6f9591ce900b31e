//! The calls that the library makes.

use super::Generation;
use super::model::objects::{Kind, Object, WaitableTimer};
use super::model::resolution::CAPABILITIES;
use super::model::system_clock::due_time;
use super::model::timers::Setting;
use super::model::waiting::wait_for;
use super::model::{WindowsModel, ordinary};
use super::owned::{SimObject, SimTask};
use super::program::{SimWin32, call_system, look};
use crate::{NORMAL_PRIORITY, call};
use punctual::os::machines::Sealed;
use punctual::os::windows::{
    AffinityMasks, CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, CREATE_WAITABLE_TIMER_MANUAL_RESET,
    PowerThrottling, THREAD_PRIORITY_TIME_CRITICAL, TimeCaps, TimerResolution, Waited, Win32,
    Win32Error,
};
use punctual_windows::choices::HighResolution;
use std::time::Duration;

/// `ERROR_NOT_ENOUGH_MEMORY`.
const NOT_ENOUGH_MEMORY: Win32Error = Win32Error::LastError(8);

/// `THREAD_PRIORITY_IDLE` and the priorities at both ends of a class that isn't the real-time one.
const THREAD_PRIORITY_IDLE: i32 = -15;
const LOWEST_PRIORITY: u8 = 1;
const HIGHEST_PRIORITY: u8 = 15;

impl Sealed for SimWin32 {}

impl Win32 for SimWin32 {
    type Object = SimObject;
    type Task = SimTask;

    fn query_performance_counter(&self) -> i64 {
        look(|model, kernel| model.performance_count(kernel))
    }

    fn query_performance_frequency(&self) -> i64 {
        look(|model, _| model.generation.counter_frequency().cast_signed())
    }

    fn create_event_w(&self, manual_reset: bool) -> Result<SimObject, Win32Error> {
        Ok(create(Object::new(manual_reset, Kind::Event)))
    }

    fn set_event(&self, event: &SimObject) -> Result<(), Win32Error> {
        call_system(|model, kernel| {
            let key = model.event_of_caller(kernel, event.handle())?;
            model.signal(kernel, key);
            Ok(())
        })
    }

    fn reset_event(&self, event: &SimObject) -> Result<(), Win32Error> {
        call_system(|model, kernel| {
            let key = model.event_of_caller(kernel, event.handle())?;
            if let Some(event) = model.object(key) {
                event.signalled = false;
            }
            Ok(())
        })
    }

    #[inline(always)]
    fn wait_for_single_object(
        &self,
        object: &SimObject,
        milliseconds: u32,
    ) -> Result<Waited, Win32Error> {
        wait_for(&[object.handle()], milliseconds)
    }

    #[inline(always)]
    fn wait_for_multiple_objects<const N: usize>(
        &self,
        objects: [&SimObject; N],
        milliseconds: u32,
    ) -> Result<Waited, Win32Error> {
        wait_for(&objects.map(SimObject::handle), milliseconds)
    }

    fn create_waitable_timer_w(&self, manual_reset: bool) -> Result<SimObject, Win32Error> {
        let timer = WaitableTimer::new(false);
        Ok(create(Object::new(manual_reset, Kind::Timer(timer))))
    }

    fn create_waitable_timer_ex_w(
        &self,
        flags: u32,
        _desired_access: u32,
    ) -> Result<SimObject, Win32Error> {
        let high_resolution = call_system(|model, _| {
            model.generation.needs(Generation::Seven)?;
            let known = match model.timer.rules().high_resolution {
                HighResolution::Absent => CREATE_WAITABLE_TIMER_MANUAL_RESET,
                HighResolution::Present => {
                    CREATE_WAITABLE_TIMER_MANUAL_RESET | CREATE_WAITABLE_TIMER_HIGH_RESOLUTION
                }
            };
            if flags & !known != 0 {
                return Err(Win32Error::INVALID_PARAMETER);
            }
            Ok(flags & CREATE_WAITABLE_TIMER_HIGH_RESOLUTION != 0)
        })?;
        let timer = WaitableTimer::new(high_resolution);
        let manual_reset = flags & CREATE_WAITABLE_TIMER_MANUAL_RESET != 0;
        Ok(create(Object::new(manual_reset, Kind::Timer(timer))))
    }

    fn set_waitable_timer(
        &self,
        timer: &SimObject,
        due_time: i64,
        period: i32,
    ) -> Result<(), Win32Error> {
        call_system(|model, kernel| {
            let setting = setting(due_time, period, 0)?;
            model.set_timer_object(kernel, timer.handle(), setting)
        })
    }

    fn set_waitable_timer_ex(
        &self,
        timer: &SimObject,
        due_time: i64,
        period: i32,
        tolerable_delay: u32,
    ) -> Result<(), Win32Error> {
        call_system(|model, kernel| {
            model.generation.needs(Generation::Seven)?;
            let setting = setting(due_time, period, tolerable_delay)?;
            model.set_timer_object(kernel, timer.handle(), setting)
        })
    }

    fn cancel_waitable_timer(&self, timer: &SimObject) -> Result<(), Win32Error> {
        call_system(|model, kernel| {
            let key = model.timer_of_caller(kernel, timer.handle())?;
            model.disarm(kernel, key);
            Ok(())
        })
    }

    fn time_begin_period(&self, period: u32) -> Result<(), Win32Error> {
        call_system(|model, kernel| model.begin_period(kernel, period))
    }

    fn time_end_period(&self, period: u32) -> Result<(), Win32Error> {
        call_system(|model, kernel| model.end_period(kernel, period))
    }

    fn time_get_dev_caps(&self) -> Result<TimeCaps, Win32Error> {
        look(|_, _| Ok(CAPABILITIES))
    }

    fn nt_query_timer_resolution(&self) -> Result<TimerResolution, Win32Error> {
        call_system(|model, kernel| Ok(model.timer_resolution(kernel)))
    }

    fn get_process_information(&self) -> Result<PowerThrottling, Win32Error> {
        call_system(|model, kernel| model.power_throttling(kernel))
    }

    fn set_process_information(&self, information: PowerThrottling) -> Result<(), Win32Error> {
        call_system(|model, kernel| {
            model.power_throttling(kernel)?;
            model.set_power_throttling(kernel, information)
        })
    }

    /// Numbers are multiples of four and never zero, as Windows' are. They are read from the
    /// thread's own memory, so that this is no call of the system.
    fn get_current_thread_id(&self) -> u32 {
        let index = call(|_: &mut WindowsModel, kernel| kernel.current_thread().index());
        u32::try_from(4 * (index + 1)).unwrap_or(u32::MAX)
    }

    fn get_current_processor_number(&self) -> Result<u32, Win32Error> {
        call(|model: &mut WindowsModel, kernel| {
            model.generation.needs(Generation::Seven)?;
            Ok(u32::try_from(kernel.current_processor()).unwrap_or(u32::MAX))
        })
    }

    /// To a thread of the same priority or a higher one. Windows lets a less urgent one run, too,
    /// for a tick at most; by what rule is not documented, and left out.
    fn switch_to_thread(&self) -> bool {
        call_system(|_, kernel| kernel.yield_processor())
    }

    fn get_thread_priority(&self) -> Result<i32, Win32Error> {
        call_system(|model, kernel| {
            let thread = kernel.current_thread();
            let own = model.own_priority(kernel, thread);
            Ok(relative_priority(own.unwrap_or(NORMAL_PRIORITY)))
        })
    }

    fn set_thread_priority(&self, priority: i32) -> Result<(), Win32Error> {
        call_system(|model, kernel| {
            let priority = absolute_priority(priority).ok_or(Win32Error::INVALID_PARAMETER)?;
            model.set_own_priority(kernel, kernel.current_thread(), priority);
            Ok(())
        })
    }

    fn get_process_affinity_mask(&self) -> Result<AffinityMasks, Win32Error> {
        call_system(|_, kernel| {
            let all = mask(kernel.all_processors());
            Ok(AffinityMasks {
                process: all,
                system: all,
            })
        })
    }

    fn set_thread_affinity_mask(&self, mask: usize) -> Result<usize, Win32Error> {
        call_system(|_, kernel| {
            let (wanted, all) = (mask as u64, kernel.all_processors());
            if wanted == 0 || wanted & !all != 0 {
                return Err(Win32Error::INVALID_PARAMETER);
            }
            let thread = kernel.current_thread();
            let before = kernel.affinity(thread).unwrap_or(all);
            kernel.set_affinity(thread, wanted);
            Ok(self::mask(before))
        })
    }

    fn av_set_mm_thread_characteristics_w(&self, task_name: &str) -> Result<SimTask, Win32Error> {
        call_system(|model, kernel| model.join_task(kernel, task_name))?;
        Ok(SimTask::joined())
    }

    fn create_thread(&self, name: &str, body: Box<dyn FnOnce() + Send>) -> Result<(), Win32Error> {
        call_system(|_, kernel| {
            let (process, start) = (kernel.current_process(), ordinary(kernel));
            let started = kernel.start_thread(process, name, start, body);
            started.map(drop).map_err(|_| NOT_ENOUGH_MEMORY)
        })
    }
}

fn create(object: Object) -> SimObject {
    SimObject::new(call_system(|model, kernel| model.open(kernel, object)))
}

fn setting(due: i64, period: i32, tolerable_delay: u32) -> Result<Setting, Win32Error> {
    let period = u64::try_from(period).map_err(|_| Win32Error::INVALID_PARAMETER)?;
    Ok(Setting {
        until: due_time(due),
        period: (period > 0).then(|| Duration::from_millis(period)),
        tolerable_delay: Duration::from_millis(u64::from(tolerable_delay)),
    })
}

/// In a process of the normal priority class.
fn absolute_priority(relative: i32) -> Option<u8> {
    match relative {
        THREAD_PRIORITY_IDLE => Some(LOWEST_PRIORITY),
        THREAD_PRIORITY_TIME_CRITICAL => Some(HIGHEST_PRIORITY),
        -2..=2 => NORMAL_PRIORITY.checked_add_signed(i8::try_from(relative).ok()?),
        _ => None,
    }
}

fn relative_priority(absolute: u8) -> i32 {
    match absolute {
        LOWEST_PRIORITY => THREAD_PRIORITY_IDLE,
        HIGHEST_PRIORITY => THREAD_PRIORITY_TIME_CRITICAL,
        between => i32::from(between) - i32::from(NORMAL_PRIORITY),
    }
}

/// A mask of 32-bit Windows has no bits for more processors than that.
fn mask(processors: u64) -> usize {
    usize::try_from(processors).unwrap_or(usize::MAX)
}
