//! Timers of the thread pool, from Windows Vista on.

use super::callbacks::{LONG, await_calls, counter};
use super::{event, from_now, is_signalled, wait};
use punctual::os::windows::{PoolTimer, TimerCallback, Win32Error, Win32Lab};
use std::sync::atomic::Ordering;

/// `None` before Windows Vista.
fn timer<W: Win32Lab>(win32: &W, callback: TimerCallback) -> Option<PoolTimer> {
    match win32.create_threadpool_timer(callback) {
        Err(Win32Error::PROC_NOT_FOUND) => None,
        made => Some(made.unwrap()),
    }
}

pub fn once_and_again<W: Win32Lab>(win32: W) {
    let (count, callback) = counter();
    let Some(timer) = timer(&win32, callback) else {
        return;
    };
    win32.sleep(50);
    assert_eq!(count.load(Ordering::SeqCst), 0, "it is made inactive");
    for due_time in [0, from_now(10)] {
        let before = count.load(Ordering::SeqCst);
        win32
            .set_threadpool_timer(timer, Some(due_time), 0, 0)
            .unwrap();
        await_calls(&win32, &count, before + 1);
        win32.sleep(LONG);
        assert_eq!(count.load(Ordering::SeqCst) - before, 1);
    }
    let before = count.load(Ordering::SeqCst);
    win32
        .set_threadpool_timer(timer, Some(from_now(10)), 10, 0)
        .unwrap();
    await_calls(&win32, &count, before + 10);
    win32.close_threadpool_timer(timer).unwrap();
}

pub fn waiting<W: Win32Lab>(win32: W) {
    for cancel_pending in [false, true] {
        let (begun, ended) = (event(&win32), event(&win32));
        let theirs = win32.clone();
        let callback = move || {
            theirs.set_event(begun).unwrap();
            theirs.sleep(100);
            theirs.set_event(ended).unwrap();
        };
        let Some(timer) = timer(&win32, Box::new(callback)) else {
            return;
        };
        win32
            .set_threadpool_timer(timer, Some(from_now(5)), 0, 0)
            .unwrap();
        wait(&win32, begun);
        win32
            .wait_for_threadpool_timer_callbacks(timer, cancel_pending)
            .unwrap();
        assert!(is_signalled(&win32, ended));
        win32.close_threadpool_timer(timer).unwrap();
    }
}

pub fn cancelling<W: Win32Lab>(win32: W) {
    let (count, callback) = counter();
    let Some(timer) = timer(&win32, callback) else {
        return;
    };
    win32
        .set_threadpool_timer(timer, Some(from_now(5)), 5, 0)
        .unwrap();
    await_calls(&win32, &count, 3);
    win32.set_threadpool_timer(timer, None, 0, 0).unwrap();
    win32
        .wait_for_threadpool_timer_callbacks(timer, true)
        .unwrap();
    let counted = count.load(Ordering::SeqCst);
    win32.sleep(LONG);
    assert_eq!(count.load(Ordering::SeqCst), counted);
    win32.close_threadpool_timer(timer).unwrap();
}

pub fn closed<W: Win32Lab>(win32: W) {
    let (_, callback) = counter();
    let Some(timer) = timer(&win32, callback) else {
        return;
    };
    win32.close_threadpool_timer(timer).unwrap();
    let refused = Err(Win32Error::INVALID_HANDLE);
    assert_eq!(win32.close_threadpool_timer(timer), refused);
    assert_eq!(win32.set_threadpool_timer(timer, None, 0, 0), refused);
    let waited = win32.wait_for_threadpool_timer_callbacks(timer, true);
    assert_eq!(waited, refused);
}
