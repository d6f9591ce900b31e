//! Waitable timers.

use super::{from_now, is_signalled, wait};
use punctual::os::windows::{Waited, Win32Error};
use punctual_windows::os::windows::Win32Lab;

/// A due time that no test lives to see.
const FAR: i64 = -36_000_000_000;

/// Long enough for a timer of a few milliseconds, whatever the ticks.
const LONG: u32 = 200;

fn timer<W: Win32Lab>(win32: &W) -> W::Object {
    win32.create_waitable_timer_w(false).unwrap()
}

pub fn ends_a_wait<W: Win32Lab>(win32: W) {
    let timer = timer(&win32);
    assert!(!is_signalled(&win32, &timer), "it is made inactive");
    win32.set_waitable_timer(&timer, FAR, 0).unwrap();
    assert!(!is_signalled(&win32, &timer));
    win32.set_waitable_timer(&timer, from_now(30), 0).unwrap();
    wait(&win32, &timer);
}

pub fn due_in_the_past<W: Win32Lab>(win32: W) {
    let timer = timer(&win32);
    for due_time in [0, 1, 10_000_000] {
        win32.set_waitable_timer(&timer, due_time, 0).unwrap();
        assert!(is_signalled(&win32, &timer), "{due_time}");
    }
}

pub fn setting_resets<W: Win32Lab>(win32: W) {
    let timer = timer(&win32);
    win32.set_waitable_timer(&timer, 0, 0).unwrap();
    win32.set_waitable_timer(&timer, FAR, 0).unwrap();
    assert!(!is_signalled(&win32, &timer));
}

pub fn setting_again<W: Win32Lab>(win32: W) {
    let timer = timer(&win32);
    win32.set_waitable_timer(&timer, FAR, 0).unwrap();
    win32.set_waitable_timer(&timer, from_now(10), 0).unwrap();
    wait(&win32, &timer);
    assert_eq!(
        win32.wait_for_single_object(&timer, LONG),
        Ok(Waited::Timeout)
    );
}

pub fn cancelled<W: Win32Lab>(win32: W) {
    let timer = timer(&win32);
    win32
        .set_waitable_timer(&timer, from_now(1_000), 20)
        .unwrap();
    win32.cancel_waitable_timer(&timer).unwrap();
    assert_eq!(
        win32.wait_for_single_object(&timer, 1_000 + LONG),
        Ok(Waited::Timeout)
    );
    win32.cancel_waitable_timer(&timer).unwrap();
}

pub fn cancelling_keeps_the_signal<W: Win32Lab>(win32: W) {
    let timer = timer(&win32);
    win32.set_waitable_timer(&timer, 0, 0).unwrap();
    win32.cancel_waitable_timer(&timer).unwrap();
    assert!(is_signalled(&win32, &timer));
}

pub fn synchronisation_timer_serves_one_wait<W: Win32Lab>(win32: W) {
    let timer = timer(&win32);
    win32.set_waitable_timer(&timer, from_now(1), 0).unwrap();
    win32.sleep(LONG);
    assert!(is_signalled(&win32, &timer));
    assert!(!is_signalled(&win32, &timer));
}

pub fn manual_reset_serves_until_set<W: Win32Lab>(win32: W) {
    let timer = win32.create_waitable_timer_w(true).unwrap();
    win32.set_waitable_timer(&timer, from_now(1), 0).unwrap();
    wait(&win32, &timer);
    assert!(is_signalled(&win32, &timer) && is_signalled(&win32, &timer));
    win32.set_waitable_timer(&timer, FAR, 0).unwrap();
    assert!(!is_signalled(&win32, &timer));
}

pub fn periodic<W: Win32Lab>(win32: W) {
    let timer = timer(&win32);
    for first in [0, from_now(20)] {
        win32.set_waitable_timer(&timer, first, 20).unwrap();
        for _ in 0..5 {
            wait(&win32, &timer);
        }
    }
}

pub fn missed_periods_are_one_signal<W: Win32Lab>(win32: W) {
    let timer = timer(&win32);
    win32.set_waitable_timer(&timer, from_now(20), 20).unwrap();
    win32.sleep(LONG);
    win32.cancel_waitable_timer(&timer).unwrap();
    assert!(is_signalled(&win32, &timer));
    assert!(!is_signalled(&win32, &timer));
}

pub fn absolute<W: Win32Lab>(win32: W) {
    const MILLISECONDS_30: u64 = 300_000;
    let timer = timer(&win32);
    let now = win32.get_system_time_as_file_time().0;
    let far = now + FAR.unsigned_abs();
    win32
        .set_waitable_timer(&timer, far.cast_signed(), 0)
        .unwrap();
    assert!(!is_signalled(&win32, &timer));
    let due = now + MILLISECONDS_30;
    win32
        .set_waitable_timer(&timer, due.cast_signed(), 0)
        .unwrap();
    wait(&win32, &timer);
    assert!(win32.get_system_time_as_file_time().0 >= due);
}

pub fn negative_period<W: Win32Lab>(win32: W) {
    let timer = timer(&win32);
    let set = win32.set_waitable_timer(&timer, from_now(1), -1);
    assert_eq!(set, Err(Win32Error::INVALID_PARAMETER));
}
