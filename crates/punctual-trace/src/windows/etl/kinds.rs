//! The numbers of the kernel's events that are used: groups, and types within them.

/// Groups (`EVENT_TRACE_GROUP_*`).
pub(super) const PROCESS: u8 = 3;
pub(super) const THREAD: u8 = 5;
pub(super) const PERFINFO: u8 = 15;
pub(super) const IMAGE: u8 = 20;

/// Types within a group (`EVENT_TRACE_TYPE_*`, `PERFINFO_LOG_TYPE_*`).
pub(super) const START: u8 = 1;
pub(super) const END: u8 = 2;
pub(super) const RUNDOWN_AT_START: u8 = 3;
pub(super) const RUNDOWN_AT_END: u8 = 4;
pub(super) const IMAGE_LOADED: u8 = 10;
pub(super) const SWITCH: u8 = 36;
pub(super) const READY: u8 = 50;
pub(super) const THREADED_DPC: u8 = 66;
pub(super) const INTERRUPT: u8 = 67;
pub(super) const DPC: u8 = 68;
pub(super) const TIMER_DPC: u8 = 69;
/// An interrupt that is a message on the bus.
pub(super) const MESSAGE_INTERRUPT: u8 = 50;

/// What events of a kind tell, in a word or two, if they are used.
pub(super) fn name(group: u8, kind: u8) -> Option<&'static str> {
    Some(match (group, kind) {
        (0, 0) => "header of the log",
        (THREAD, SWITCH) => "context switch",
        (THREAD, READY) => "ready thread",
        (THREAD, START) => "thread starts",
        (THREAD, END) => "thread ends",
        (THREAD, RUNDOWN_AT_START | RUNDOWN_AT_END) => "thread",
        (PERFINFO, THREADED_DPC) => "threaded DPC",
        (PERFINFO, DPC) => "DPC",
        (PERFINFO, TIMER_DPC) => "timer DPC",
        (PERFINFO, INTERRUPT | MESSAGE_INTERRUPT) => "interrupt",
        (PROCESS, START) => "process starts",
        (PROCESS, END) => "process ends",
        (PROCESS, RUNDOWN_AT_START | RUNDOWN_AT_END) => "process",
        (IMAGE, IMAGE_LOADED) => "code is loaded",
        (IMAGE, RUNDOWN_AT_START | RUNDOWN_AT_END) => "code",
        _ => return None,
    })
}
