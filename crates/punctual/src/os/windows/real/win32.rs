//! The calls that the library makes.

use super::procedures::MultimediaClass;
use super::{Real, RealObject, ffi, last_error, made, multimedia, status, succeeded, wide};
use crate::opaque::opaque;
use crate::os::native::windows::{
    AffinityMasks, PowerThrottling, TimeCaps, TimerResolution, Waited, Win32, Win32Error,
};
use crate::os::sealed::Sealed;
use std::ptr;

impl Sealed for Real {}

impl Win32 for Real {
    type Object = RealObject;
    type Task = RealTask;

    fn query_performance_counter(&self) -> i64 {
        let mut count = 0;
        // SAFETY: `count` is valid for writing.
        unsafe { ffi::QueryPerformanceCounter(&raw mut count) };
        count
    }

    fn query_performance_frequency(&self) -> i64 {
        let mut frequency = 0;
        // SAFETY: `frequency` is valid for writing.
        unsafe { ffi::QueryPerformanceFrequency(&raw mut frequency) };
        frequency
    }

    fn has_processor(&self) -> bool {
        true
    }

    fn create_event_w(&self, manual_reset: bool) -> Result<RealObject, Win32Error> {
        let (attributes, name) = (ptr::null(), ptr::null());
        // SAFETY: the pointers may be null.
        let event = unsafe { ffi::CreateEventW(attributes, manual_reset.into(), ffi::FALSE, name) };
        // SAFETY: the event was just made.
        unsafe { made(event) }
    }

    fn set_event(&self, event: &RealObject) -> Result<(), Win32Error> {
        // SAFETY: the event is open.
        succeeded(unsafe { ffi::SetEvent(event.raw()) })
    }

    fn reset_event(&self, event: &RealObject) -> Result<(), Win32Error> {
        // SAFETY: as above.
        succeeded(unsafe { ffi::ResetEvent(event.raw()) })
    }

    fn wait_for_single_object(
        &self,
        object: &RealObject,
        milliseconds: u32,
    ) -> Result<Waited, Win32Error> {
        // SAFETY: the object is open.
        waited(unsafe { ffi::WaitForSingleObject(object.raw(), milliseconds) })
    }

    fn wait_for_multiple_objects<const N: usize>(
        &self,
        objects: [&RealObject; N],
        milliseconds: u32,
    ) -> Result<Waited, Win32Error> {
        let objects = objects.map(RealObject::raw);
        // More than fit into 32 bits are too many for Windows, too.
        let count = u32::try_from(N).unwrap_or(u32::MAX);
        // SAFETY: `objects` has as many handles, all open; Windows refuses more than 64 before it reads
        // them.
        waited(unsafe {
            ffi::WaitForMultipleObjects(count, objects.as_ptr(), ffi::FALSE, milliseconds)
        })
    }

    fn create_waitable_timer_w(&self, manual_reset: bool) -> Result<RealObject, Win32Error> {
        let (attributes, name) = (ptr::null(), ptr::null());
        // SAFETY: the pointers may be null.
        let timer = unsafe { ffi::CreateWaitableTimerW(attributes, manual_reset.into(), name) };
        // SAFETY: the timer was just made.
        unsafe { made(timer) }
    }

    fn create_waitable_timer_ex_w(
        &self,
        flags: u32,
        desired_access: u32,
    ) -> Result<RealObject, Win32Error> {
        let (attributes, name) = (ptr::null(), ptr::null());
        // SAFETY: the pointers may be null.
        let timer = unsafe { ffi::CreateWaitableTimerExW(attributes, name, flags, desired_access) };
        // SAFETY: as above.
        unsafe { made(timer) }
    }

    fn set_waitable_timer(
        &self,
        timer: &RealObject,
        due_time: i64,
        period: i32,
    ) -> Result<(), Win32Error> {
        let (routine, argument) = (ptr::null(), ptr::null());
        // SAFETY: the timer is open; `due_time` is valid for reading; the other pointers may be null.
        succeeded(unsafe {
            ffi::SetWaitableTimer(
                timer.raw(),
                &raw const due_time,
                period,
                routine,
                argument,
                ffi::FALSE,
            )
        })
    }

    fn set_waitable_timer_ex(
        &self,
        timer: &RealObject,
        due_time: i64,
        period: i32,
        tolerable_delay: u32,
    ) -> Result<(), Win32Error> {
        let (routine, argument, context) = (ptr::null(), ptr::null(), ptr::null());
        // SAFETY: as above.
        succeeded(unsafe {
            ffi::SetWaitableTimerEx(
                timer.raw(),
                &raw const due_time,
                period,
                routine,
                argument,
                context,
                tolerable_delay,
            )
        })
    }

    fn cancel_waitable_timer(&self, timer: &RealObject) -> Result<(), Win32Error> {
        // SAFETY: the timer is open.
        succeeded(unsafe { ffi::CancelWaitableTimer(timer.raw()) })
    }

    fn time_begin_period(&self, period: u32) -> Result<(), Win32Error> {
        // SAFETY: no pointers.
        multimedia(unsafe { ffi::timeBeginPeriod(period) })
    }

    fn time_end_period(&self, period: u32) -> Result<(), Win32Error> {
        // SAFETY: no pointers.
        multimedia(unsafe { ffi::timeEndPeriod(period) })
    }

    fn time_get_dev_caps(&self) -> Result<TimeCaps, Win32Error> {
        let mut caps = ffi::TIMECAPS::default();
        // SAFETY: `caps` is valid for writing, with the size given.
        multimedia(unsafe {
            ffi::timeGetDevCaps(&raw mut caps, size_in_bytes::<ffi::TIMECAPS>())
        })?;
        Ok(TimeCaps {
            period_min: caps.wPeriodMin,
            period_max: caps.wPeriodMax,
        })
    }

    fn nt_query_timer_resolution(&self) -> Result<TimerResolution, Win32Error> {
        let query = self.procedures.query_timer_resolution;
        let query = query.ok_or(Win32Error::PROC_NOT_FOUND)?;
        let mut found = TimerResolution {
            maximum_time: 0,
            minimum_time: 0,
            current_time: 0,
        };
        let (maximum, minimum) = (&raw mut found.maximum_time, &raw mut found.minimum_time);
        // SAFETY: all three are valid for writing.
        status(unsafe { query(maximum, minimum, &raw mut found.current_time) })?;
        Ok(found)
    }

    fn get_process_information(&self) -> Result<PowerThrottling, Win32Error> {
        let get = self.procedures.get_process_information;
        let get = get.ok_or(Win32Error::PROC_NOT_FOUND)?;
        let mut state = ffi::PROCESS_POWER_THROTTLING_STATE {
            Version: ffi::THROTTLING_VERSION,
            ..Default::default()
        };
        let (class, information) = (ffi::PROCESS_POWER_THROTTLING, (&raw mut state).cast());
        let process = current_process();
        // SAFETY: `state` is valid for reading and writing, with the size given.
        succeeded(unsafe { get(process, class, information, THROTTLING_SIZE) })?;
        Ok(PowerThrottling {
            control_mask: state.ControlMask,
            state_mask: state.StateMask,
        })
    }

    fn set_process_information(&self, information: PowerThrottling) -> Result<(), Win32Error> {
        let set = self.procedures.set_process_information;
        let set = set.ok_or(Win32Error::PROC_NOT_FOUND)?;
        let state = ffi::PROCESS_POWER_THROTTLING_STATE {
            Version: ffi::THROTTLING_VERSION,
            ControlMask: information.control_mask,
            StateMask: information.state_mask,
        };
        let (class, information) = (ffi::PROCESS_POWER_THROTTLING, (&raw const state).cast());
        let process = current_process();
        // SAFETY: `state` is valid for reading, with the size given.
        succeeded(unsafe { set(process, class, information, THROTTLING_SIZE) })
    }

    fn get_current_thread_id(&self) -> u32 {
        // SAFETY: no pointers.
        unsafe { ffi::GetCurrentThreadId() }
    }

    fn get_current_processor_number(&self) -> Result<u32, Win32Error> {
        // SAFETY: no pointers.
        Ok(unsafe { ffi::GetCurrentProcessorNumber() })
    }

    fn switch_to_thread(&self) -> bool {
        // SAFETY: no pointers.
        let switched = unsafe { ffi::SwitchToThread() };
        switched != ffi::FALSE
    }

    fn get_thread_priority(&self) -> Result<i32, Win32Error> {
        let thread = current_thread();
        // SAFETY: the calling thread lives.
        match unsafe { ffi::GetThreadPriority(thread) } {
            ffi::NO_PRIORITY => Err(last_error()),
            priority => Ok(priority),
        }
    }

    fn set_thread_priority(&self, priority: i32) -> Result<(), Win32Error> {
        let thread = current_thread();
        // SAFETY: as above.
        succeeded(unsafe { ffi::SetThreadPriority(thread, priority) })
    }

    fn get_process_affinity_mask(&self) -> Result<AffinityMasks, Win32Error> {
        let (process, mut own, mut system) = (current_process(), 0, 0);
        // SAFETY: both masks are valid for writing.
        succeeded(unsafe { ffi::GetProcessAffinityMask(process, &raw mut own, &raw mut system) })?;
        Ok(AffinityMasks {
            process: own,
            system,
        })
    }

    fn set_thread_affinity_mask(&self, mask: usize) -> Result<usize, Win32Error> {
        let thread = current_thread();
        // SAFETY: the calling thread lives.
        match unsafe { ffi::SetThreadAffinityMask(thread, mask) } {
            0 => Err(last_error()),
            before => Ok(before),
        }
    }

    fn av_set_mm_thread_characteristics_w(&self, task_name: &str) -> Result<RealTask, Win32Error> {
        let class = self.procedures.multimedia_class()?;
        let (name, mut task_index) = (wide(task_name), 0);
        // SAFETY: the name ends with a zero, and the index, zero at first as it must be, is valid
        // for writing.
        let task = unsafe { (class.join)(name.as_ptr(), &raw mut task_index) };
        if task.is_null() {
            return Err(last_error());
        }
        Ok(RealTask { class, task })
    }

    /// As the standard library starts threads: it gives the name to Windows, too, where that takes
    /// one (from version 1607 on).
    fn create_thread(&self, name: &str, body: Box<dyn FnOnce() + Send>) -> Result<(), Win32Error> {
        let thread = std::thread::Builder::new().name(name.to_owned());
        let started = thread.spawn(body);
        started.map(drop).map_err(|error| {
            let code = error
                .raw_os_error()
                .map(|code| u32::from_ne_bytes(code.to_ne_bytes()));
            code.map_or(Win32Error::NO_SYSTEM_RESOURCES, Win32Error::LastError)
        })
    }
}

/// A task of the multimedia class scheduler, left when this is dropped. Not `Send`, because a thread can
/// leave only its own.
pub struct RealTask {
    class: MultimediaClass,
    task: ffi::HANDLE,
}

impl Drop for RealTask {
    fn drop(&mut self) {
        // SAFETY: the task is the calling thread's, because this cannot leave its thread.
        unsafe { (self.class.revert)(self.task) };
    }
}

opaque!(RealTask);

/// A handle that means the process of whoever uses it, and need not be closed.
fn current_process() -> ffi::HANDLE {
    // SAFETY: no pointers.
    unsafe { ffi::GetCurrentProcess() }
}

/// A handle that means whatever thread uses it, and need not be closed.
fn current_thread() -> ffi::HANDLE {
    // SAFETY: no pointers.
    unsafe { ffi::GetCurrentThread() }
}

const THROTTLING_SIZE: u32 = size_in_bytes::<ffi::PROCESS_POWER_THROTTLING_STATE>();

#[expect(
    clippy::cast_possible_truncation,
    reason = "structures are a few bytes long"
)]
const fn size_in_bytes<T>() -> u32 {
    size_of::<T>() as u32
}

/// What a wait's result means. A mutex that its owner has left behind ends a wait as any object
/// does; this crate makes none.
fn waited(result: u32) -> Result<Waited, Win32Error> {
    let object = |first: u32| Ok(Waited::Object((result - first) as usize));
    match result {
        ffi::WAIT_FAILED => Err(last_error()),
        ffi::WAIT_TIMEOUT => Ok(Waited::Timeout),
        ffi::WAIT_ABANDONED_0.. => object(ffi::WAIT_ABANDONED_0),
        ffi::WAIT_OBJECT_0.. => object(ffi::WAIT_OBJECT_0),
    }
}
