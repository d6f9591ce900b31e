//! Windows' calls: [`Win32`] is one method per system call that the library uses, answered by a
//! real Windows or by a simulated one of any version. Nothing in here depends on the system it is
//! compiled for.

mod types;
mod win32;

pub use types::{
    AffinityMasks, CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, CREATE_WAITABLE_TIMER_MANUAL_RESET,
    Handle, INFINITE, PowerThrottling, SYNCHRONIZE, THREAD_PRIORITY_HIGHEST,
    THREAD_PRIORITY_TIME_CRITICAL, TIMER_MODIFY_STATE, TimeCaps, TimerResolution, Waited,
    Win32Error,
};
pub use win32::Win32;
