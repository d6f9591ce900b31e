//! What is refused, and with which error.

use super::{event, from_now};
use punctual::os::windows::{
    CREATE_WAITABLE_TIMER_MANUAL_RESET, Handle, SYNCHRONIZE, THREAD_PRIORITY_HIGHEST,
    THREAD_PRIORITY_TIME_CRITICAL, TIMER_MODIFY_STATE, Win32Error, Win32Lab,
};

pub fn closed_handles<W: Win32Lab>(win32: W) {
    let (event, timer) = (event(&win32), win32.create_waitable_timer_w(true).unwrap());
    for handle in [event, timer] {
        win32.close_handle(handle).unwrap();
        assert_eq!(win32.close_handle(handle), Err(Win32Error::LastError(6)));
        let waited = win32.wait_for_single_object(handle, 0);
        assert_eq!(waited, Err(Win32Error::INVALID_HANDLE));
        assert_eq!(win32.set_event(handle), Err(Win32Error::INVALID_HANDLE));
    }
    assert_eq!(win32.reset_event(event), Err(Win32Error::INVALID_HANDLE));
    assert_eq!(
        win32.cancel_waitable_timer(timer),
        Err(Win32Error::INVALID_HANDLE)
    );
    let set = win32.set_waitable_timer(timer, from_now(1), 0);
    assert_eq!(set, Err(Win32Error::INVALID_HANDLE));
    assert_eq!(
        win32.close_handle(Handle(0)),
        Err(Win32Error::INVALID_HANDLE)
    );
}

pub fn wrong_kind<W: Win32Lab>(win32: W) {
    let (event, timer) = (event(&win32), win32.create_waitable_timer_w(false).unwrap());
    assert_eq!(win32.set_event(timer), Err(Win32Error::INVALID_HANDLE));
    assert_eq!(win32.reset_event(timer), Err(Win32Error::INVALID_HANDLE));
    assert_eq!(
        win32.cancel_waitable_timer(event),
        Err(Win32Error::INVALID_HANDLE)
    );
    let set = win32.set_waitable_timer(event, from_now(1), 0);
    assert_eq!(set, Err(Win32Error::INVALID_HANDLE));
}

pub fn number_of_objects<W: Win32Lab>(win32: W) {
    let events: Vec<_> = (0..65).map(|_| event(&win32)).collect();
    let refused = Err(Win32Error::INVALID_PARAMETER);
    assert_eq!(win32.wait_for_multiple_objects(&events, 0), refused);
    assert_eq!(win32.wait_for_multiple_objects(&[], 0), refused);
    assert!(win32.wait_for_multiple_objects(&events[..64], 0).is_ok());
}

/// From Windows Vista on; before, there is nothing to refuse.
pub fn unknown_flag<W: Win32Lab>(win32: W) {
    const UNKNOWN: u32 = 0x100;
    let access = SYNCHRONIZE | TIMER_MODIFY_STATE;
    let make = |flags| win32.create_waitable_timer_ex_w(flags, access);
    if make(CREATE_WAITABLE_TIMER_MANUAL_RESET) == Err(Win32Error::PROC_NOT_FOUND) {
        assert_eq!(make(UNKNOWN), Err(Win32Error::PROC_NOT_FOUND));
    } else {
        assert_eq!(make(UNKNOWN), Err(Win32Error::INVALID_PARAMETER));
    }
}

pub fn priorities<W: Win32Lab>(win32: W) {
    let thread = win32.get_current_thread();
    assert_eq!(win32.get_thread_priority(thread), Ok(0));
    for priority in [
        THREAD_PRIORITY_HIGHEST,
        THREAD_PRIORITY_TIME_CRITICAL,
        -15,
        -2,
        0,
    ] {
        win32.set_thread_priority(thread, priority).unwrap();
        assert_eq!(win32.get_thread_priority(thread), Ok(priority));
    }
    let refused = win32.set_thread_priority(thread, 14);
    assert_eq!(refused, Err(Win32Error::INVALID_PARAMETER));
    assert_eq!(
        win32.get_thread_priority(Handle(0)),
        Err(Win32Error::INVALID_HANDLE)
    );
}

pub fn affinities<W: Win32Lab>(win32: W) {
    let masks = win32
        .get_process_affinity_mask(win32.get_current_process())
        .unwrap();
    assert_eq!(masks.process & !masks.system, 0);
    let thread = win32.get_current_thread();
    let lowest = masks.process & masks.process.wrapping_neg();
    let before = win32.set_thread_affinity_mask(thread, lowest).unwrap();
    assert_eq!(before, masks.process);
    assert_eq!(win32.set_thread_affinity_mask(thread, before), Ok(lowest));
    let refused = Err(Win32Error::INVALID_PARAMETER);
    assert_eq!(win32.set_thread_affinity_mask(thread, 0), refused);
    assert_eq!(
        win32.set_thread_affinity_mask(thread, !masks.system),
        refused
    );
}
