//! Calls of macOS that the crate `libc` lacks, or leaves to others.

use std::ffi::c_int;

/// `mach_timebase_info`: a count of `mach_absolute_time` is `numer / denom` nanoseconds.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct MachTimebaseInfo {
    pub(super) numer: u32,
    pub(super) denom: u32,
}

const _: () = assert!(size_of::<MachTimebaseInfo>() == 8);

/// A `qos_class_t` of `sys/qos.h`.
pub(super) type QosClass = u32;

pub(super) const QOS_CLASS_USER_INTERACTIVE: QosClass = 0x21;
pub(super) const QOS_CLASS_DEFAULT: QosClass = 0x15;
pub(super) const QOS_CLASS_UNSPECIFIED: QosClass = 0x00;

unsafe extern "C" {
    /// <https://developer.apple.com/documentation/kernel/1462446-mach_absolute_time>
    pub(super) safe fn mach_absolute_time() -> u64;

    /// <https://developer.apple.com/documentation/driverkit/mach_timebase_info>
    pub(super) fn mach_timebase_info(info: *mut MachTimebaseInfo) -> c_int;

    /// `pthread/qos.h`: sets the calling thread's class; returns zero or an error number.
    ///
    /// <https://developer.apple.com/library/archive/documentation/Performance/Conceptual/power_efficiency_guidelines_osx/PrioritizeWorkAtTheTaskLevel.html>
    pub(super) safe fn pthread_set_qos_class_self_np(
        class: QosClass,
        relative_priority: c_int,
    ) -> c_int;

    /// `pthread/qos.h`: a thread's class and its priority within that, 0 to −15.
    pub(super) fn pthread_get_qos_class_np(
        thread: libc::pthread_t,
        class: *mut QosClass,
        relative_priority: *mut c_int,
    ) -> c_int;
}
