//! The calls of Windows that only experiments make: the other ways of waiting, and the coarse clocks.

pub mod calls;
#[cfg(windows)]
mod real;

#[cfg(windows)]
pub use real::{RealMultimediaTimer, RealPoolTimer, RealQueueTimer, wine_version};

use crate::Throttling;
use punctual::Error;
use punctual::os::windows::{PowerThrottling, Waited, Win32, Win32Error};
use std::path::PathBuf;
use std::sync::atomic::AtomicU32;

/// What a timer runs when it fires, on a thread of the system's.
pub type TimerCallback = Box<dyn FnMut() + Send>;

/// For `flags` of a timer-queue timer: a thread of the pool runs the callback.
pub const WT_EXECUTEDEFAULT: u32 = 0x0;
/// For `flags` of a timer-queue timer: the thread that serves the queue runs the callback itself,
/// without a switch.
pub const WT_EXECUTEINTIMERTHREAD: u32 = 0x20;

/// `WM_TIMER`: a timer of [`set_timer`](Win32Lab::set_timer) has fired.
pub const WM_TIMER: u32 = 0x0113;
/// `WM_QUIT`: nothing will send messages any more.
pub const WM_QUIT: u32 = 0x0012;

/// The number of a timer made by `SetTimer`. Windows looks it up among the calling thread's own timers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TimerId(pub usize);

/// A point of the system clock, in units of 100 ns since 1601 (UTC): a `FILETIME` as one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SystemTime(pub u64);

/// How Windows moves the system clock on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeAdjustment {
    /// What each increment adds to the clock, in units of 100 ns.
    pub adjustment: u32,
    /// The time between two increments, in units of 100 ns. It is the longest interval between timer
    /// interrupts, whatever the interval in force is.
    pub increment: u32,
    /// Whether the clock keeps the time of the interrupts: each increment then adds itself.
    pub is_disabled: bool,
}

/// What [`get_message`](Win32Lab::get_message) takes from the calling thread's queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Message {
    /// Which: [`WM_TIMER`], [`WM_QUIT`], or another program's.
    pub message: u32,
    /// For [`WM_TIMER`], the timer's number.
    pub w_param: usize,
}

/// The part of Windows that experiments need beside [`Win32`], with the same promises.
///
/// Waits here are measured, not relied on: the library makes none of these calls.
///
/// # Whose a timer is
///
/// A timer that calls back is a value. It ends when the value is dropped, so the calls that use it borrow
/// it, and none can be made meanwhile or afterwards. A timer dropped in its own callback would wait for
/// itself.
///
/// ```
/// use punctual::os::windows::Win32Error;
/// use punctual_windows::os::windows::Win32Lab;
///
/// fn once<W: Win32Lab>(win32: &W) -> Result<(), Win32Error> {
///     let event = win32.create_event_w(true)?;
///     win32.set_event(&event)?;
///     drop(event);
///     let timer = win32.create_threadpool_timer(Box::new(|| ()))?;
///     win32.set_threadpool_timer(&timer, Some(0), 0, 0);
///     drop(timer);
///     Ok(())
/// }
/// ```
///
/// Nothing is used after its end:
///
/// ```compile_fail,E0382
/// use punctual::os::windows::Win32Error;
/// use punctual_windows::os::windows::Win32Lab;
///
/// fn closed<W: Win32Lab>(win32: &W) -> Result<(), Win32Error> {
///     let event = win32.create_event_w(true)?;
///     drop(event);
///     win32.set_event(&event)
/// }
/// ```
///
/// ```compile_fail,E0382
/// use punctual::os::windows::Win32Error;
/// use punctual_windows::os::windows::Win32Lab;
///
/// fn closed<W: Win32Lab>(win32: &W) -> Result<(), Win32Error> {
///     let timer = win32.create_threadpool_timer(Box::new(|| ()))?;
///     drop(timer);
///     win32.set_threadpool_timer(&timer, Some(0), 0, 0);
///     Ok(())
/// }
/// ```
///
/// Nothing is closed while another thread uses it:
///
/// ```compile_fail,E0505
/// use punctual::os::windows::Win32Error;
/// use punctual_windows::os::windows::Win32Lab;
/// use std::thread;
///
/// fn raced<W: Win32Lab>(win32: &W) -> Result<(), Win32Error> {
///     let timer = win32.create_threadpool_timer(Box::new(|| ()))?;
///     thread::scope(|scope| {
///         scope.spawn(|| win32.set_threadpool_timer(&timer, Some(0), 0, 0));
///         drop(timer);
///     });
///     Ok(())
/// }
/// ```
///
/// No number stands for a handle:
///
/// ```compile_fail,E0308
/// use punctual::os::windows::Win32Error;
/// use punctual_windows::os::windows::Win32Lab;
///
/// fn forged<W: Win32Lab>(win32: &W) -> Result<(), Win32Error> {
///     win32.set_event(&4_isize)
/// }
/// ```
pub trait Win32Lab: Win32 {
    /// A timer of the default timer queue. Dropping it ends it, and waits for a callback that is under
    /// way (`CompletionEvent` is `INVALID_HANDLE_VALUE`).
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/threadpoollegacyapiset/nf-threadpoollegacyapiset-deletetimerqueuetimer>
    type QueueTimer: Send + Sync + 'static;

    /// A timer of the thread pool. Dropping it makes it inactive, waits for a callback that is under
    /// way, and closes it.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/threadpoolapiset/nf-threadpoolapiset-closethreadpooltimer>
    type PoolTimer: Send + Sync + 'static;

    /// A multimedia timer. Dropping it ends it; a callback that is under way may end later.
    ///
    /// <https://learn.microsoft.com/en-us/previous-versions/dd757630(v=vs.85)>
    type MultimediaTimer: Send + Sync + 'static;

    /// Waits for so many milliseconds; `0` gives up the rest of the thread's turn.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-sleep>
    fn sleep(&self, milliseconds: u32);

    /// As [`sleep`](Self::sleep); if `alertable`, a completion routine may end it, and then the
    /// result is `WAIT_IO_COMPLETION` (192) instead of 0.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-sleepex>
    fn sleep_ex(&self, milliseconds: u32, alertable: bool) -> u32;

    /// Waits in units of 100 ns: negative, from now on; otherwise until a point of the system
    /// clock. The function has no page of its own; that of the kernel's side of it describes it.
    ///
    /// <https://learn.microsoft.com/en-us/windows-hardware/drivers/ddi/wdm/nf-wdm-kedelayexecutionthread>
    ///
    /// # Errors
    /// The status, if it is not success.
    fn nt_delay_execution(&self, alertable: bool, delay: i64) -> Result<(), Win32Error>;

    /// Waits for so many milliseconds while the value is the one that it is compared with: returns at once
    /// if it is another. A change of the value ends no wait by itself. From Windows 8 on.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-waitonaddress>
    ///
    /// # Errors
    /// [`Win32Error::PROC_NOT_FOUND`] before.
    fn wait_on_address(
        &self,
        value: &AtomicU32,
        compare: u32,
        milliseconds: u32,
    ) -> Result<Waited, Win32Error>;

    /// Makes (`set`) or ends the one request a process has of the kernel itself, in units of
    /// 100 ns, and returns the spacing in force. The function has no page of its own; that of the
    /// kernel's side of it describes it.
    ///
    /// <https://learn.microsoft.com/en-us/windows-hardware/drivers/ddi/wdm/nf-wdm-exsettimerresolution>
    ///
    /// # Errors
    /// `STATUS_TIMER_RESOLUTION_NOT_SET` (0xC0000245) if there is none to end.
    fn nt_set_timer_resolution(&self, desired: u32, set: bool) -> Result<u32, Win32Error>;

    /// Makes a timer of the default timer queue: it first fires after `due_time` milliseconds,
    /// then every `period` milliseconds; `0` is once.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/threadpoollegacyapiset/nf-threadpoollegacyapiset-createtimerqueuetimer>
    ///
    /// # Errors
    /// When the system is out of memory for objects.
    fn create_timer_queue_timer(
        &self,
        callback: TimerCallback,
        due_time: u32,
        period: u32,
        flags: u32,
    ) -> Result<Self::QueueTimer, Win32Error>;

    /// Makes a timer of the thread pool, inactive. From Windows Vista on.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/threadpoolapiset/nf-threadpoolapiset-createthreadpooltimer>
    ///
    /// # Errors
    /// [`Win32Error::PROC_NOT_FOUND`] before.
    fn create_threadpool_timer(
        &self,
        callback: TimerCallback,
    ) -> Result<Self::PoolTimer, Win32Error>;

    /// Sets it, active or not: it first fires at `due_time`, in units of 100 ns as for
    /// [`set_waitable_timer`](Win32::set_waitable_timer), then every `period` milliseconds (`0` is
    /// once), and may be late by `window_length` milliseconds so that wake-ups can be shared.
    /// Without a due time it makes the timer inactive.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/threadpoolapiset/nf-threadpoolapiset-setthreadpooltimer>
    fn set_threadpool_timer(
        &self,
        timer: &Self::PoolTimer,
        due_time: Option<i64>,
        period: u32,
        window_length: u32,
    );

    /// Waits for callbacks that are under way, and for those that are due unless they are to be
    /// cancelled. It must not be called from one.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/threadpoolapiset/nf-threadpoolapiset-waitforthreadpooltimercallbacks>
    fn wait_for_threadpool_timer_callbacks(&self, timer: &Self::PoolTimer, cancel_pending: bool);

    /// Makes a multimedia timer: it fires after `delay` milliseconds, once or `periodic`, as
    /// exactly as `resolution` milliseconds say (`0`: as exactly as can be).
    ///
    /// <https://learn.microsoft.com/en-us/previous-versions/dd757634(v=vs.85)>
    ///
    /// # Errors
    /// The function says only that it failed: [`Win32Error::NO_CAN_DO`].
    fn time_set_event(
        &self,
        delay: u32,
        resolution: u32,
        callback: TimerCallback,
        periodic: bool,
    ) -> Result<Self::MultimediaTimer, Win32Error>;

    /// Makes a timer that sends [`WM_TIMER`] to the calling thread's queue every `elapse`
    /// milliseconds.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/winuser/nf-winuser-settimer>
    ///
    /// # Errors
    /// When the system is out of timers.
    fn set_timer(&self, elapse: u32) -> Result<TimerId, Win32Error>;

    /// Ends it. A message already sent stays in the queue.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/winuser/nf-winuser-killtimer>
    ///
    /// # Errors
    /// [`Win32Error::INVALID_PARAMETER`] if the calling thread has none with this number.
    fn kill_timer(&self, timer: TimerId) -> Result<(), Win32Error>;

    /// Waits for the next message to the calling thread.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/winuser/nf-winuser-getmessagew>
    ///
    /// # Errors
    /// [`Win32Error::INVALID_HANDLE`], which no known use leads to.
    fn get_message(&self) -> Result<Message, Win32Error>;

    /// Milliseconds since the system started, as of the last tick; wraps after 49.7 days.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/timeapi/nf-timeapi-timegettime>
    fn time_get_time(&self) -> u32;

    /// Milliseconds since the system started, in steps of the default interval; wraps after
    /// 49.7 days.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/sysinfoapi/nf-sysinfoapi-gettickcount>
    fn get_tick_count(&self) -> u32;

    /// As [`get_tick_count`](Self::get_tick_count), and does not wrap. From Windows Vista on.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/sysinfoapi/nf-sysinfoapi-gettickcount64>
    ///
    /// # Errors
    /// [`Win32Error::PROC_NOT_FOUND`] before.
    fn get_tick_count64(&self) -> Result<u64, Win32Error>;

    /// The system clock as of the last tick.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/sysinfoapi/nf-sysinfoapi-getsystemtimeasfiletime>
    fn get_system_time_as_file_time(&self) -> SystemTime;

    /// The system clock, exactly. From Windows 8 on.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/sysinfoapi/nf-sysinfoapi-getsystemtimepreciseasfiletime>
    ///
    /// # Errors
    /// [`Win32Error::PROC_NOT_FOUND`] before.
    fn get_system_time_precise_as_file_time(&self) -> Result<SystemTime, Win32Error>;

    /// How the system clock is adjusted.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/sysinfoapi/nf-sysinfoapi-getsystemtimeadjustment>
    ///
    /// # Errors
    /// None that is documented.
    fn get_system_time_adjustment(&self) -> Result<TimeAdjustment, Win32Error>;

    /// Time since the system started, in units of 100 ns, as of the last tick; sleep and hibernation
    /// count. From Windows 10 on.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/realtimeapiset/nf-realtimeapiset-queryinterrupttime>
    ///
    /// # Errors
    /// [`Win32Error::PROC_NOT_FOUND`] before.
    fn query_interrupt_time(&self) -> Result<u64, Win32Error>;

    /// The same, exactly. From Windows 10 on.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/realtimeapiset/nf-realtimeapiset-queryinterrupttimeprecise>
    ///
    /// # Errors
    /// [`Win32Error::PROC_NOT_FOUND`] before.
    fn query_interrupt_time_precise(&self) -> Result<u64, Win32Error>;

    /// As [`query_interrupt_time`](Self::query_interrupt_time), without sleep and hibernation. From
    /// Windows 7 on.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/realtimeapiset/nf-realtimeapiset-queryunbiasedinterrupttime>
    ///
    /// # Errors
    /// [`Win32Error::PROC_NOT_FOUND`] before.
    fn query_unbiased_interrupt_time(&self) -> Result<u64, Win32Error>;

    /// The same, exactly. From Windows 10 on.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/realtimeapiset/nf-realtimeapiset-queryunbiasedinterrupttimeprecise>
    ///
    /// # Errors
    /// [`Win32Error::PROC_NOT_FOUND`] before.
    fn query_unbiased_interrupt_time_precise(&self) -> Result<u64, Win32Error>;

    /// The folder of the system's own programs and libraries, such as `C:\Windows\System32`.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/api/sysinfoapi/nf-sysinfoapi-getsystemdirectoryw>
    ///
    /// # Errors
    /// None that is documented.
    fn get_system_directory_w(&self) -> Result<PathBuf, Win32Error>;
}

impl Throttling {
    /// The setting that tells it to Windows and leaves everything else as it was found.
    pub fn setting(self, found: PowerThrottling) -> PowerThrottling {
        let honouring = found.honouring_requests();
        let ignoring = honouring.state_mask | PowerThrottling::IGNORE_TIMER_RESOLUTION;
        PowerThrottling {
            state_mask: match self {
                Self::Honour => honouring.state_mask,
                Self::Ignore => ignoring,
            },
            ..honouring
        }
    }

    /// Tells it to Windows, for the calling process.
    ///
    /// # Errors
    /// [Unsupported](Error::is_unsupported) before Windows 11.
    pub fn tell<W: Win32>(self, win32: &W) -> Result<(), Error> {
        let found = win32.get_process_information().unwrap_or_default();
        let told = win32.set_process_information(self.setting(found));
        told.map_err(|error| match error {
            Win32Error::PROC_NOT_FOUND | Win32Error::INVALID_PARAMETER => {
                Error::unsupported("this Windows does not know it; Windows 11 does")
            }
            error => Error::system(format!("SetProcessInformation failed: {error}")),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_stays_apart_from_the_one_flag() {
        let found = PowerThrottling {
            control_mask: 1,
            state_mask: 1,
        };
        let masks = |throttling: Throttling| {
            let setting = throttling.setting(found);
            (setting.control_mask, setting.state_mask)
        };
        assert_eq!(masks(Throttling::Honour), (5, 1));
        assert_eq!(masks(Throttling::Ignore), (5, 5));
    }
}
