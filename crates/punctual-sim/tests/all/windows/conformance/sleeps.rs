//! Sleeps and delays.

use super::{from_now, thread, wait};
use punctual::os::windows::{INFINITE, Waited, Win32Error};
use punctual_windows::os::windows::Win32Lab;
use std::sync::atomic::AtomicU32;

pub fn nothing_is_something<W: Win32Lab>(win32: W) {
    win32.sleep(0);
    assert_eq!(win32.sleep_ex(0, true), 0);
    assert_eq!(win32.sleep_ex(1, true), 0, "no completion routine ended it");
}

/// Whatever a sleep counts from, it ends at a tick that is not before its end on that clock.
pub fn never_shorter_on_the_clock_of_ticks<W: Win32Lab>(win32: W) {
    for milliseconds in [1, 10, 50] {
        let began = win32.time_get_time();
        win32.sleep(milliseconds);
        let passed = win32.time_get_time().wrapping_sub(began);
        // Both readings are cut to whole milliseconds.
        assert!(passed + 1 >= milliseconds, "{passed} of {milliseconds}");
    }
}

pub fn delays<W: Win32Lab>(win32: W) {
    const MILLISECONDS_30: u64 = 300_000;
    let began = win32.get_system_time_as_file_time().0;
    win32.nt_delay_execution(false, from_now(30)).unwrap();
    let ended = win32.get_system_time_as_file_time().0;
    // To the millisecond: the clock of ticks is not exact to the unit.
    assert!(ended + 10_000 >= began + MILLISECONDS_30);
    let until = ended + MILLISECONDS_30;
    win32
        .nt_delay_execution(false, until.cast_signed())
        .unwrap();
    assert!(win32.get_system_time_as_file_time().0 >= until);
    win32.nt_delay_execution(false, 0).unwrap();
    win32
        .nt_delay_execution(false, began.cast_signed())
        .unwrap();
}

pub fn addresses<W: Win32Lab>(win32: W) {
    let value = AtomicU32::new(7);
    let waits = |compare, milliseconds| win32.wait_on_address(&value, compare, milliseconds);
    if waits(8, INFINITE) == Err(Win32Error::PROC_NOT_FOUND) {
        return;
    }
    assert_eq!(
        waits(8, INFINITE),
        Ok(Waited::Object(0)),
        "it is another value"
    );
    assert_eq!(waits(7, 0), Ok(Waited::Timeout));
    let began = win32.time_get_time();
    assert_eq!(waits(7, 30), Ok(Waited::Timeout));
    let passed = win32.time_get_time().wrapping_sub(began);
    // Both readings are cut to whole milliseconds.
    assert!(passed + 1 >= 30, "{passed}");
}

pub fn others_run_meanwhile<W: Win32Lab>(win32: W) {
    let ended = thread(&win32, |win32| {
        win32.sleep(1);
    });
    while !super::is_signalled(&win32, &ended) {
        win32.sleep(50);
    }
    let ended = thread(&win32, |_| {});
    wait(&win32, &ended);
}
