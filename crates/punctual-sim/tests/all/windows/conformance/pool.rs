//! Timers of the thread pool, from Windows Vista on.

use super::callbacks::{LONG, await_calls, counter, slow_call};
use super::{event, from_now, is_signalled, wait};
use punctual::os::windows::Win32Error;
use punctual_windows::os::windows::{TimerCallback, Win32Lab};
use std::sync::atomic::Ordering;

/// `None` before Windows Vista.
fn timer<W: Win32Lab>(win32: &W, callback: TimerCallback) -> Option<W::PoolTimer> {
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
        win32.set_threadpool_timer(&timer, Some(due_time), 0, 0);
        await_calls(&win32, &count, before + 1);
        win32.sleep(LONG);
        assert_eq!(count.load(Ordering::SeqCst) - before, 1);
    }
    let before = count.load(Ordering::SeqCst);
    win32.set_threadpool_timer(&timer, Some(from_now(10)), 10, 0);
    await_calls(&win32, &count, before + 10);
}

pub fn waiting<W: Win32Lab>(win32: W) {
    for cancel_pending in [false, true] {
        let (begun, ended) = (event(&win32), event(&win32));
        let Some(timer) = timer(&win32, slow_call(&win32, &begun, &ended)) else {
            return;
        };
        win32.set_threadpool_timer(&timer, Some(from_now(5)), 0, 0);
        wait(&win32, &begun);
        win32.wait_for_threadpool_timer_callbacks(&timer, cancel_pending);
        assert!(is_signalled(&win32, &ended));
    }
}

pub fn cancelling<W: Win32Lab>(win32: W) {
    let (count, callback) = counter();
    let Some(timer) = timer(&win32, callback) else {
        return;
    };
    win32.set_threadpool_timer(&timer, Some(from_now(5)), 5, 0);
    await_calls(&win32, &count, 3);
    win32.set_threadpool_timer(&timer, None, 0, 0);
    win32.wait_for_threadpool_timer_callbacks(&timer, true);
    let counted = count.load(Ordering::SeqCst);
    win32.sleep(LONG);
    assert_eq!(count.load(Ordering::SeqCst), counted);
}

pub fn dropped<W: Win32Lab>(win32: W) {
    let (count, callback) = counter();
    let Some(periodic) = timer(&win32, callback) else {
        return;
    };
    win32.set_threadpool_timer(&periodic, Some(from_now(5)), 5, 0);
    await_calls(&win32, &count, 3);
    drop(periodic);
    let counted = count.load(Ordering::SeqCst);
    win32.sleep(LONG);
    assert_eq!(count.load(Ordering::SeqCst), counted);
    let (begun, ended) = (event(&win32), event(&win32));
    let Some(slow) = timer(&win32, slow_call(&win32, &begun, &ended)) else {
        return;
    };
    win32.set_threadpool_timer(&slow, Some(from_now(5)), 0, 0);
    wait(&win32, &begun);
    drop(slow);
    assert!(is_signalled(&win32, &ended), "it waits for its call");
}
