//! The calls that the library makes.

use super::{Real, ffi, last_error, made, multimedia, raw, status, succeeded, wide};
use crate::os::native::windows::{
    AffinityMasks, Handle, PowerThrottling, TimeCaps, TimerResolution, Waited, Win32, Win32Error,
};
use crate::os::sealed::Sealed;
use std::ptr;

impl Sealed for Real {}

impl Win32 for Real {
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

    fn create_event_w(&self, manual_reset: bool) -> Result<Handle, Win32Error> {
        let (attributes, name) = (ptr::null(), ptr::null());
        // SAFETY: the pointers may be null.
        made(unsafe { ffi::CreateEventW(attributes, manual_reset.into(), ffi::FALSE, name) })
    }

    fn set_event(&self, event: Handle) -> Result<(), Win32Error> {
        // SAFETY: any handle may be given.
        succeeded(unsafe { ffi::SetEvent(raw(event)) })
    }

    fn reset_event(&self, event: Handle) -> Result<(), Win32Error> {
        // SAFETY: any handle may be given.
        succeeded(unsafe { ffi::ResetEvent(raw(event)) })
    }

    fn close_handle(&self, object: Handle) -> Result<(), Win32Error> {
        // SAFETY: any handle may be given. That nobody else uses it is the caller's affair, as it
        // is everywhere on Windows; what he breaks then are calls, not memory.
        succeeded(unsafe { ffi::CloseHandle(raw(object)) })
    }

    fn wait_for_single_object(
        &self,
        object: Handle,
        milliseconds: u32,
    ) -> Result<Waited, Win32Error> {
        // SAFETY: any handle may be given.
        waited(unsafe { ffi::WaitForSingleObject(raw(object), milliseconds) })
    }

    fn wait_for_multiple_objects(
        &self,
        objects: &[Handle],
        milliseconds: u32,
    ) -> Result<Waited, Win32Error> {
        let objects: &[ffi::HANDLE] = {
            // SAFETY: a `Handle` is a number of the size of a pointer and nothing else, and the
            // slice stays borrowed.
            unsafe { std::slice::from_raw_parts(objects.as_ptr().cast(), objects.len()) }
        };
        // More than fit into 32 bits are too many for Windows, too.
        let count = u32::try_from(objects.len()).unwrap_or(u32::MAX);
        // SAFETY: `objects` has as many handles; Windows refuses more than 64 before it reads them.
        waited(unsafe {
            ffi::WaitForMultipleObjects(count, objects.as_ptr(), ffi::FALSE, milliseconds)
        })
    }

    fn create_waitable_timer_w(&self, manual_reset: bool) -> Result<Handle, Win32Error> {
        // SAFETY: the pointers may be null.
        made(unsafe { ffi::CreateWaitableTimerW(ptr::null(), manual_reset.into(), ptr::null()) })
    }

    fn create_waitable_timer_ex_w(
        &self,
        flags: u32,
        desired_access: u32,
    ) -> Result<Handle, Win32Error> {
        let (attributes, name) = (ptr::null(), ptr::null());
        // SAFETY: the pointers may be null.
        made(unsafe { ffi::CreateWaitableTimerExW(attributes, name, flags, desired_access) })
    }

    fn set_waitable_timer(
        &self,
        timer: Handle,
        due_time: i64,
        period: i32,
    ) -> Result<(), Win32Error> {
        let (routine, argument) = (ptr::null(), ptr::null());
        // SAFETY: `due_time` is valid for reading; the other pointers may be null.
        succeeded(unsafe {
            ffi::SetWaitableTimer(
                raw(timer),
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
        timer: Handle,
        due_time: i64,
        period: i32,
        tolerable_delay: u32,
    ) -> Result<(), Win32Error> {
        let (routine, argument, context) = (ptr::null(), ptr::null(), ptr::null());
        // SAFETY: `due_time` is valid for reading; the other pointers may be null.
        succeeded(unsafe {
            ffi::SetWaitableTimerEx(
                raw(timer),
                &raw const due_time,
                period,
                routine,
                argument,
                context,
                tolerable_delay,
            )
        })
    }

    fn cancel_waitable_timer(&self, timer: Handle) -> Result<(), Win32Error> {
        // SAFETY: any handle may be given.
        succeeded(unsafe { ffi::CancelWaitableTimer(raw(timer)) })
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

    fn get_current_process(&self) -> Handle {
        // SAFETY: no pointers.
        Handle(unsafe { ffi::GetCurrentProcess() } as isize)
    }

    fn get_process_information(&self, process: Handle) -> Result<PowerThrottling, Win32Error> {
        let get = self.procedures.get_process_information;
        let get = get.ok_or(Win32Error::PROC_NOT_FOUND)?;
        let mut state = ffi::PROCESS_POWER_THROTTLING_STATE {
            Version: ffi::THROTTLING_VERSION,
            ..Default::default()
        };
        let (class, information) = (ffi::PROCESS_POWER_THROTTLING, (&raw mut state).cast());
        // SAFETY: `state` is valid for reading and writing, with the size given.
        succeeded(unsafe { get(raw(process), class, information, THROTTLING_SIZE) })?;
        Ok(PowerThrottling {
            control_mask: state.ControlMask,
            state_mask: state.StateMask,
        })
    }

    fn set_process_information(
        &self,
        process: Handle,
        information: PowerThrottling,
    ) -> Result<(), Win32Error> {
        let set = self.procedures.set_process_information;
        let set = set.ok_or(Win32Error::PROC_NOT_FOUND)?;
        let state = ffi::PROCESS_POWER_THROTTLING_STATE {
            Version: ffi::THROTTLING_VERSION,
            ControlMask: information.control_mask,
            StateMask: information.state_mask,
        };
        let (class, information) = (ffi::PROCESS_POWER_THROTTLING, (&raw const state).cast());
        // SAFETY: `state` is valid for reading, with the size given.
        succeeded(unsafe { set(raw(process), class, information, THROTTLING_SIZE) })
    }

    fn get_current_thread(&self) -> Handle {
        // SAFETY: no pointers.
        Handle(unsafe { ffi::GetCurrentThread() } as isize)
    }

    fn get_current_thread_id(&self) -> u32 {
        // SAFETY: no pointers.
        unsafe { ffi::GetCurrentThreadId() }
    }

    fn switch_to_thread(&self) -> bool {
        // SAFETY: no pointers.
        let switched = unsafe { ffi::SwitchToThread() };
        switched != ffi::FALSE
    }

    fn get_thread_priority(&self, thread: Handle) -> Result<i32, Win32Error> {
        // SAFETY: any handle may be given.
        match unsafe { ffi::GetThreadPriority(raw(thread)) } {
            ffi::NO_PRIORITY => Err(last_error()),
            priority => Ok(priority),
        }
    }

    fn set_thread_priority(&self, thread: Handle, priority: i32) -> Result<(), Win32Error> {
        // SAFETY: any handle may be given.
        succeeded(unsafe { ffi::SetThreadPriority(raw(thread), priority) })
    }

    fn get_process_affinity_mask(&self, process: Handle) -> Result<AffinityMasks, Win32Error> {
        let (mut own, mut system) = (0, 0);
        // SAFETY: both masks are valid for writing.
        succeeded(unsafe {
            ffi::GetProcessAffinityMask(raw(process), &raw mut own, &raw mut system)
        })?;
        Ok(AffinityMasks {
            process: own,
            system,
        })
    }

    fn set_thread_affinity_mask(&self, thread: Handle, mask: usize) -> Result<usize, Win32Error> {
        // SAFETY: any handle may be given.
        match unsafe { ffi::SetThreadAffinityMask(raw(thread), mask) } {
            0 => Err(last_error()),
            before => Ok(before),
        }
    }

    fn av_set_mm_thread_characteristics_w(&self, task_name: &str) -> Result<Handle, Win32Error> {
        let class = self.procedures.multimedia_class()?;
        let (name, mut task_index) = (wide(task_name), 0);
        // SAFETY: the name ends with a zero, and the index, zero at first as it must be, is valid
        // for writing.
        made(unsafe { (class.join)(name.as_ptr(), &raw mut task_index) })
    }

    fn av_revert_mm_thread_characteristics(&self, task: Handle) -> Result<(), Win32Error> {
        let class = self.procedures.multimedia_class()?;
        // SAFETY: any handle may be given.
        succeeded(unsafe { (class.revert)(raw(task)) })
    }

    /// As the standard library starts threads: it gives the name to Windows, too, where that takes
    /// one (from version 1607 on).
    fn create_thread(&self, name: &str, body: Box<dyn FnOnce() + Send>) -> Result<(), Win32Error> {
        let thread = std::thread::Builder::new().name(name.to_owned());
        let started = thread.spawn(body);
        started.map(drop).map_err(|error| {
            let code = error.raw_os_error().map(i32::cast_unsigned);
            code.map_or(Win32Error::NO_SYSTEM_RESOURCES, Win32Error::LastError)
        })
    }
}

const THROTTLING_SIZE: u32 = size_in_bytes::<ffi::PROCESS_POWER_THROTTLING_STATE>();

#[expect(
    clippy::cast_possible_truncation,
    reason = "structures are a few bytes long"
)]
const fn size_in_bytes<T>() -> u32 {
    size_of::<T>() as u32
}

// A slice of the one is given as a slice of the other.
const _: () = assert!(size_of::<Handle>() == size_of::<ffi::HANDLE>());
const _: () = assert!(align_of::<Handle>() == align_of::<ffi::HANDLE>());

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
