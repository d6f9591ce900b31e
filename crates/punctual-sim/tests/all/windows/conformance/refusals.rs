//! What is refused, and with which error.

use super::{each, event, from_now};
use punctual::os::windows::{
    CREATE_WAITABLE_TIMER_MANUAL_RESET, SYNCHRONIZE, THREAD_PRIORITY_HIGHEST,
    THREAD_PRIORITY_TIME_CRITICAL, TIMER_MODIFY_STATE, Waited, Win32Error,
};
use punctual_windows::os::windows::Win32Lab;

pub fn wrong_kind<W: Win32Lab>(win32: W) {
    let (event, timer) = (event(&win32), win32.create_waitable_timer_w(false).unwrap());
    assert_eq!(win32.set_event(&timer), Err(Win32Error::INVALID_HANDLE));
    assert_eq!(win32.reset_event(&timer), Err(Win32Error::INVALID_HANDLE));
    assert_eq!(
        win32.cancel_waitable_timer(&event),
        Err(Win32Error::INVALID_HANDLE)
    );
    let set = win32.set_waitable_timer(&event, from_now(1), 0);
    assert_eq!(set, Err(Win32Error::INVALID_HANDLE));
}

pub fn number_of_objects<W: Win32Lab>(win32: W) {
    let event = event(&win32);
    let refused = Err(Win32Error::INVALID_PARAMETER);
    assert_eq!(win32.wait_for_multiple_objects([], 0), refused);
    assert_eq!(win32.wait_for_multiple_objects([&*event; 65], 0), refused);
}

/// As many as there may be, each of them another one.
pub fn most_objects<W: Win32Lab>(win32: W) {
    let events: [_; 64] = std::array::from_fn(|_| event(&win32));
    win32.set_event(&events[63]).unwrap();
    let waited = win32.wait_for_multiple_objects(each(&events), 0);
    assert_eq!(waited, Ok(Waited::Object(63)));
}

/// From Windows Vista on; before, there is nothing to refuse.
pub fn unknown_flag<W: Win32Lab>(win32: W) {
    const UNKNOWN: u32 = 0x100;
    let access = SYNCHRONIZE | TIMER_MODIFY_STATE;
    let make = |flags| win32.create_waitable_timer_ex_w(flags, access);
    let known = make(CREATE_WAITABLE_TIMER_MANUAL_RESET).err();
    if known == Some(Win32Error::PROC_NOT_FOUND) {
        assert_eq!(make(UNKNOWN).err(), Some(Win32Error::PROC_NOT_FOUND));
    } else {
        assert_eq!(make(UNKNOWN).err(), Some(Win32Error::INVALID_PARAMETER));
    }
}

pub fn priorities<W: Win32Lab>(win32: W) {
    assert_eq!(win32.get_thread_priority(), Ok(0));
    for priority in [
        THREAD_PRIORITY_HIGHEST,
        THREAD_PRIORITY_TIME_CRITICAL,
        -15,
        -2,
        0,
    ] {
        win32.set_thread_priority(priority).unwrap();
        assert_eq!(win32.get_thread_priority(), Ok(priority));
    }
    let refused = win32.set_thread_priority(14);
    assert_eq!(refused, Err(Win32Error::INVALID_PARAMETER));
}

pub fn affinities<W: Win32Lab>(win32: W) {
    let masks = win32.get_process_affinity_mask().unwrap();
    assert_eq!(masks.process & !masks.system, 0);
    let lowest = masks.process & masks.process.wrapping_neg();
    let before = win32.set_thread_affinity_mask(lowest).unwrap();
    assert_eq!(before, masks.process);
    assert_eq!(win32.set_thread_affinity_mask(before), Ok(lowest));
    let refused = Err(Win32Error::INVALID_PARAMETER);
    assert_eq!(win32.set_thread_affinity_mask(0), refused);
    assert_eq!(win32.set_thread_affinity_mask(!masks.system), refused);
}
