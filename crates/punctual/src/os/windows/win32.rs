//! The system calls that the library uses, one method each.

use super::types::{AffinityMasks, PowerThrottling, TimeCaps, TimerResolution, Waited, Win32Error};
use crate::os::sealed::Sealed;
use std::fmt;

/// The system calls of Windows that waiting needs, as a value: a real Windows, or a simulated version.
///
/// Each method is the call of that name, with the same units, results and errors. Parameters that are
/// always null (security attributes, names, completion routines) are left out, and so are flags that the
/// library never sets. A process or a thread is the calling one. A failure is an error with Windows' own
/// code.
///
/// An implementation keeps these promises:
///
/// - A call that a version lacks returns [`Win32Error::PROC_NOT_FOUND`].
/// - Only waits block. Every call costs time, reading the counter included.
/// - Objects belong to the process, not to a thread, and live until they are dropped.
pub trait Win32: Sealed + Clone + Send + Sync + 'static {
    /// An event or a waitable timer. It is named by its only handle, which is closed when this is
    /// dropped: nothing else closes it, and no number can be used in its place.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/sysinfo/handles-and-objects>
    type Object: fmt::Debug + Send + Sync + 'static;

    /// The calling thread's task of the multimedia class scheduler. The thread leaves it when this is
    /// dropped, which must be in the same thread: most machines' type is not [`Send`].
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/avrt/nf-avrt-avrevertmmthreadcharacteristics>
    type Task: 'static;

    /// Reads the performance counter: exact, steady, and the same for every thread. It counts while
    /// the machine is asleep, too. Cannot fail from Windows XP on.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/profileapi/nf-profileapi-queryperformancecounter>
    fn query_performance_counter(&self) -> i64;

    /// Counts per second, fixed when the system starts and never zero.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/profileapi/nf-profileapi-queryperformancefrequency>
    fn query_performance_frequency(&self) -> i64;

    /// Whether its threads run on the processor of this computer, so that the processor's own
    /// instructions take time on them. No call: a simulated machine is none whose processor could rest.
    fn has_processor(&self) -> bool {
        false
    }

    /// Makes an event that is not signalled.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-createeventw>
    ///
    /// # Errors
    /// When the system is out of memory for objects.
    fn create_event_w(&self, manual_reset: bool) -> Result<Self::Object, Win32Error>;

    /// Signals an event.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-setevent>
    ///
    /// # Errors
    /// [`Win32Error::INVALID_HANDLE`].
    fn set_event(&self, event: &Self::Object) -> Result<(), Win32Error>;

    /// Makes an event not signalled.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-resetevent>
    ///
    /// # Errors
    /// [`Win32Error::INVALID_HANDLE`].
    fn reset_event(&self, event: &Self::Object) -> Result<(), Win32Error>;

    /// Waits until the object is signalled or the time is over; `0` looks without waiting,
    /// [`INFINITE`](super::INFINITE) waits for ever.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-waitforsingleobject>
    ///
    /// # Errors
    /// [`Win32Error::INVALID_HANDLE`].
    fn wait_for_single_object(
        &self,
        object: &Self::Object,
        milliseconds: u32,
    ) -> Result<Waited, Win32Error>;

    /// Waits until any of at most 64 objects is signalled or the time is over.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-waitformultipleobjects>
    ///
    /// # Errors
    /// [`Win32Error::INVALID_PARAMETER`] for none or more than 64.
    fn wait_for_multiple_objects<const N: usize>(
        &self,
        objects: [&Self::Object; N],
        milliseconds: u32,
    ) -> Result<Waited, Win32Error>;

    /// Makes a waitable timer, inactive.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-createwaitabletimerw>
    ///
    /// # Errors
    /// When the system is out of memory for objects.
    fn create_waitable_timer_w(&self, manual_reset: bool) -> Result<Self::Object, Win32Error>;

    /// Makes a waitable timer with flags, from Windows Vista on.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-createwaitabletimerexw>
    ///
    /// # Errors
    /// [`Win32Error::PROC_NOT_FOUND`] before, [`Win32Error::INVALID_PARAMETER`] for a flag that
    /// this version does not know.
    fn create_waitable_timer_ex_w(
        &self,
        flags: u32,
        desired_access: u32,
    ) -> Result<Self::Object, Win32Error>;

    /// Sets a timer, active or not, which is then not signalled until its time comes.
    ///
    /// `due_time` is in units of 100 ns: negative, from now on; otherwise a point of the system
    /// clock (since 1601, UTC). `period` is in milliseconds; `0` is once.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-setwaitabletimer>
    ///
    /// # Errors
    /// [`Win32Error::INVALID_HANDLE`] or [`Win32Error::INVALID_PARAMETER`].
    fn set_waitable_timer(
        &self,
        timer: &Self::Object,
        due_time: i64,
        period: i32,
    ) -> Result<(), Win32Error>;

    /// As [`set_waitable_timer`](Self::set_waitable_timer), and says how much later than its due
    /// time the timer may end a wait, in milliseconds. From Windows 7 on.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-setwaitabletimerex>
    ///
    /// # Errors
    /// [`Win32Error::PROC_NOT_FOUND`] before.
    fn set_waitable_timer_ex(
        &self,
        timer: &Self::Object,
        due_time: i64,
        period: i32,
        tolerable_delay: u32,
    ) -> Result<(), Win32Error>;

    /// Makes a timer inactive. Whether it is signalled stays as it is.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-cancelwaitabletimer>
    ///
    /// # Errors
    /// [`Win32Error::INVALID_HANDLE`].
    fn cancel_waitable_timer(&self, timer: &Self::Object) -> Result<(), Win32Error>;

    /// Requests that timer interrupts come at least every `period` milliseconds, until
    /// [`time_end_period`](Self::time_end_period) is called with the same number. The requests of
    /// a process are counted.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/timeapi/nf-timeapi-timebeginperiod>
    ///
    /// # Errors
    /// [`Win32Error::NO_CAN_DO`].
    fn time_begin_period(&self, period: u32) -> Result<(), Win32Error>;

    /// Ends one request of this period.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/timeapi/nf-timeapi-timeendperiod>
    ///
    /// # Errors
    /// [`Win32Error::NO_CAN_DO`] if there is none.
    fn time_end_period(&self, period: u32) -> Result<(), Win32Error>;

    /// The periods that may be requested.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/timeapi/nf-timeapi-timegetdevcaps>
    ///
    /// # Errors
    /// `MMSYSERR_ERROR` (1), which no reason is known for.
    fn time_get_dev_caps(&self) -> Result<TimeCaps, Win32Error>;

    /// The spacings of timer interrupts. The function has no page of its own; that of the kernel's
    /// side of it names the same three values.
    ///
    /// <https://learn.microsoft.com/en-us/windows-hardware/drivers/ddi/wdm/nf-wdm-exquerytimerresolution>
    ///
    /// # Errors
    /// [`Win32Error::PROC_NOT_FOUND`] if a version should lack it; none so far does.
    fn nt_query_timer_resolution(&self) -> Result<TimerResolution, Win32Error>;

    /// Reads the information of class `ProcessPowerThrottling`.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/processthreadsapi/nf-processthreadsapi-getprocessinformation>
    ///
    /// # Errors
    /// [`Win32Error::PROC_NOT_FOUND`] before Windows 8, [`Win32Error::INVALID_PARAMETER`] before
    /// this class could be read.
    fn get_process_information(&self) -> Result<PowerThrottling, Win32Error>;

    /// Writes the information of class `ProcessPowerThrottling`.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/processthreadsapi/nf-processthreadsapi-setprocessinformation>
    ///
    /// # Errors
    /// [`Win32Error::PROC_NOT_FOUND`] before Windows 8, [`Win32Error::INVALID_PARAMETER`] before
    /// this class, or a bit in it, came to be.
    fn set_process_information(&self, information: PowerThrottling) -> Result<(), Win32Error>;

    /// The calling thread's number, a multiple of four: no two threads of the machine that live at
    /// the same time share it.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/processthreadsapi/nf-processthreadsapi-getcurrentthreadid>
    fn get_current_thread_id(&self) -> u32;

    /// The number, within its group, of the processor that the calling thread runs on, from Windows Vista on.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/processthreadsapi/nf-processthreadsapi-getcurrentprocessornumber>
    ///
    /// # Errors
    /// [`Win32Error::PROC_NOT_FOUND`] before.
    fn get_current_processor_number(&self) -> Result<u32, Win32Error>;

    /// Lets another thread that is ready have the calling thread's processor, and says whether there
    /// was one.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/processthreadsapi/nf-processthreadsapi-switchtothread>
    fn switch_to_thread(&self) -> bool;

    /// The thread's priority relative to its process's class, −15 to 15.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/processthreadsapi/nf-processthreadsapi-getthreadpriority>
    ///
    /// # Errors
    /// [`Win32Error::ACCESS_DENIED`].
    fn get_thread_priority(&self) -> Result<i32, Win32Error>;

    /// Sets it.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/processthreadsapi/nf-processthreadsapi-setthreadpriority>
    ///
    /// # Errors
    /// [`Win32Error::ACCESS_DENIED`] or [`Win32Error::INVALID_PARAMETER`].
    fn set_thread_priority(&self, priority: i32) -> Result<(), Win32Error>;

    /// The processors that the process may use, and those there are.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/winbase/nf-winbase-getprocessaffinitymask>
    ///
    /// # Errors
    /// [`Win32Error::ACCESS_DENIED`].
    fn get_process_affinity_mask(&self) -> Result<AffinityMasks, Win32Error>;

    /// Keeps the thread to these processors and returns those it could use before.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/winbase/nf-winbase-setthreadaffinitymask>
    ///
    /// # Errors
    /// [`Win32Error::INVALID_PARAMETER`] for one that its process may not use.
    fn set_thread_affinity_mask(&self, mask: usize) -> Result<usize, Win32Error>;

    /// Puts the calling thread into the care of the multimedia class scheduler, as one that does
    /// this task: one of those in the registry, such as `Pro Audio`. From Windows Vista on.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/avrt/nf-avrt-avsetmmthreadcharacteristicsw>
    ///
    /// # Errors
    /// [`Win32Error::PROC_NOT_FOUND`] before, [`Win32Error::INVALID_TASK_NAME`] for a task that is
    /// not registered, [`Win32Error::THREAD_ALREADY_IN_TASK`].
    fn av_set_mm_thread_characteristics_w(&self, task_name: &str)
    -> Result<Self::Task, Win32Error>;

    /// Starts a thread that runs `body` and shows `name` in debuggers, where the version has names
    /// for threads. Nothing keeps its handle: whoever waits for its end waits for something that the
    /// body does.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/processthreadsapi/nf-processthreadsapi-createthread>
    ///
    /// # Errors
    /// When the system has no thread to give.
    fn create_thread(&self, name: &str, body: Box<dyn FnOnce() + Send>) -> Result<(), Win32Error>;
}
