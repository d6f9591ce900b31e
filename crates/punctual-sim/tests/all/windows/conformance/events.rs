//! Events and waits on them.

use super::{EVENTUALLY, each, event, is_signalled, thread, wait};
use punctual::os::windows::Waited;
use punctual_windows::os::windows::Win32Lab;
use std::sync::Arc;

pub fn auto_reset_serves_one_wait<W: Win32Lab>(win32: W) {
    let event = win32.create_event_w(false).unwrap();
    assert!(!is_signalled(&win32, &event));
    win32.set_event(&event).unwrap();
    assert!(is_signalled(&win32, &event));
    assert!(!is_signalled(&win32, &event));
}

pub fn manual_reset_serves_until_reset<W: Win32Lab>(win32: W) {
    let event = win32.create_event_w(true).unwrap();
    win32.set_event(&event).unwrap();
    assert!(is_signalled(&win32, &event) && is_signalled(&win32, &event));
    win32.reset_event(&event).unwrap();
    assert!(!is_signalled(&win32, &event));
}

pub fn setting_twice_serves_once<W: Win32Lab>(win32: W) {
    let event = event(&win32);
    win32.set_event(&event).unwrap();
    win32.set_event(&event).unwrap();
    assert!(is_signalled(&win32, &event));
    assert!(!is_signalled(&win32, &event));
}

pub fn ends_a_wait_under_way<W: Win32Lab>(win32: W) {
    let event = event(&win32);
    let sets = Arc::clone(&event);
    let ended = thread(&win32, move |win32| {
        win32.sleep(20);
        win32.set_event(&sets).unwrap();
    });
    wait(&win32, &event);
    wait(&win32, &ended);
    assert!(
        !is_signalled(&win32, &event),
        "the wait consumed the signal"
    );
}

pub fn one_waiter_at_a_time<W: Win32Lab>(win32: W) {
    let event = event(&win32);
    let waiters = [(); 3].map(|()| {
        let event = Arc::clone(&event);
        thread(&win32, move |win32| wait(win32, &event))
    });
    win32.sleep(50);
    for left in (1..=waiters.len()).rev() {
        assert!(
            !waiters.iter().any(|ended| is_signalled(&win32, ended)),
            "{left}"
        );
        win32.set_event(&event).unwrap();
        let ended = win32.wait_for_multiple_objects(each(&waiters), EVENTUALLY);
        assert!(matches!(ended, Ok(Waited::Object(_))), "{ended:?}");
    }
}

pub fn lowest_index_wins<W: Win32Lab>(win32: W) {
    let events = [event(&win32), event(&win32), event(&win32)];
    win32.set_event(&events[2]).unwrap();
    win32.set_event(&events[1]).unwrap();
    let wait = || win32.wait_for_multiple_objects(each(&events), 0);
    assert_eq!(wait(), Ok(Waited::Object(1)));
    assert_eq!(
        wait(),
        Ok(Waited::Object(2)),
        "the other's signal was left alone"
    );
    assert_eq!(wait(), Ok(Waited::Timeout));
}

pub fn looking_does_not_wait<W: Win32Lab>(win32: W) {
    let events = [event(&win32), event(&win32)];
    assert_eq!(
        win32.wait_for_single_object(&events[0], 0),
        Ok(Waited::Timeout)
    );
    assert_eq!(
        win32.wait_for_multiple_objects(each(&events), 0),
        Ok(Waited::Timeout)
    );
}

pub fn timeout<W: Win32Lab>(win32: W) {
    let event = event(&win32);
    let waited = win32.wait_for_single_object(&event, 5);
    assert_eq!(waited, Ok(Waited::Timeout));
    let waited = win32.wait_for_multiple_objects([&*event], 5);
    assert_eq!(waited, Ok(Waited::Timeout));
}
