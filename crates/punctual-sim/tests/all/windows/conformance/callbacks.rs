//! Timers that call back, and timers that send messages.

use super::{EVENTUALLY, event, is_signalled, wait};
use punctual::os::windows::{Waited, Win32Error};
use punctual_windows::os::windows::{
    Message, TimerCallback, WM_TIMER, WT_EXECUTEDEFAULT, WT_EXECUTEINTIMERTHREAD, Win32Lab,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

const FLAGS: [u32; 2] = [WT_EXECUTEDEFAULT, WT_EXECUTEINTIMERTHREAD];

/// Long enough for many calls every few milliseconds, wherever there should be none.
pub(super) const LONG: u32 = 400;

/// Waits until something has been called so often. Nothing here says how soon that is.
pub(super) fn await_calls<W: Win32Lab>(win32: &W, count: &AtomicU32, calls: u32) {
    while count.load(Ordering::SeqCst) < calls {
        win32.sleep(5);
    }
}

/// A counter, and a callback that counts.
pub(super) fn counter() -> (Arc<AtomicU32>, Box<dyn FnMut() + Send>) {
    let count = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&count);
    let callback = move || {
        counted.fetch_add(1, Ordering::SeqCst);
    };
    (count, Box::new(callback))
}

/// A callback that takes a while, and the events that it sets at its ends.
pub(super) fn slow_call<W: Win32Lab>(
    win32: &W,
    begun: &Arc<W::Object>,
    ended: &Arc<W::Object>,
) -> TimerCallback {
    let (win32, begun, ended) = (win32.clone(), Arc::clone(begun), Arc::clone(ended));
    Box::new(move || {
        win32.set_event(&begun).unwrap();
        win32.sleep(100);
        win32.set_event(&ended).unwrap();
    })
}

pub fn once<W: Win32Lab>(win32: W) {
    for flags in FLAGS {
        for due_time in [0, 10] {
            let (count, callback) = counter();
            let timer = win32
                .create_timer_queue_timer(callback, due_time, 0, flags)
                .unwrap();
            await_calls(&win32, &count, 1);
            win32.sleep(LONG);
            assert_eq!(count.load(Ordering::SeqCst), 1);
            drop(timer);
        }
    }
}

pub fn again<W: Win32Lab>(win32: W) {
    for flags in FLAGS {
        let (count, callback) = counter();
        let timer = win32
            .create_timer_queue_timer(callback, 10, 10, flags)
            .unwrap();
        await_calls(&win32, &count, 10);
        drop(timer);
        let counted = count.load(Ordering::SeqCst);
        win32.sleep(LONG);
        assert_eq!(count.load(Ordering::SeqCst), counted);
    }
}

pub fn deleting_waits<W: Win32Lab>(win32: W) {
    for flags in FLAGS {
        let (begun, ended) = (event(&win32), event(&win32));
        let callback = slow_call(&win32, &begun, &ended);
        let timer = win32
            .create_timer_queue_timer(callback, 5, 0, flags)
            .unwrap();
        wait(&win32, &begun);
        drop(timer);
        assert!(is_signalled(&win32, &ended));
    }
}

/// Two calls, each of which waits for the other: only side by side can both see the other begin.
pub fn in_parallel_or_not<W: Win32Lab>(win32: W) {
    // In turn, the first waits in vain, and the second still finds that the first has begun.
    let flags = [
        (WT_EXECUTEDEFAULT, EVENTUALLY, 2),
        (WT_EXECUTEINTIMERTHREAD, 200, 1),
    ];
    for (flags, timeout, expected) in flags {
        let begun = [event(&win32), event(&win32)];
        let met = Arc::new(AtomicU32::new(0));
        let ended = Arc::new(AtomicU32::new(0));
        let start = |own: usize| {
            let (theirs, met, ended) = (win32.clone(), Arc::clone(&met), Arc::clone(&ended));
            let (ours, other) = (Arc::clone(&begun[own]), Arc::clone(&begun[1 - own]));
            let callback = move || {
                theirs.set_event(&ours).unwrap();
                let other = theirs.wait_for_single_object(&other, timeout);
                met.fetch_add(u32::from(other == Ok(Waited::Object(0))), Ordering::SeqCst);
                ended.fetch_add(1, Ordering::SeqCst);
            };
            let callback = Box::new(callback);
            win32
                .create_timer_queue_timer(callback, 5, 0, flags)
                .unwrap()
        };
        let timers = [start(0), start(1)];
        await_calls(&win32, &ended, 2);
        for timer in timers {
            drop(timer);
        }
        assert_eq!(met.load(Ordering::SeqCst), expected);
    }
}

pub fn multimedia<W: Win32Lab>(win32: W) {
    let (count, callback) = counter();
    let timer = win32.time_set_event(5, 0, callback, false).unwrap();
    await_calls(&win32, &count, 1);
    win32.sleep(LONG);
    assert_eq!(count.load(Ordering::SeqCst), 1);
    drop(timer);
    let (count, callback) = counter();
    let timer = win32.time_set_event(5, 1, callback, true).unwrap();
    await_calls(&win32, &count, 20);
    drop(timer);
    // A call that was under way ends.
    win32.sleep(50);
    let counted = count.load(Ordering::SeqCst);
    win32.sleep(LONG);
    assert_eq!(count.load(Ordering::SeqCst), counted);
}

pub fn delay_of_zero<W: Win32Lab>(win32: W) {
    let (_, callback) = counter();
    let made = win32.time_set_event(0, 1, callback, true);
    assert_eq!(made.err(), Some(Win32Error::NO_CAN_DO));
}

pub fn messages<W: Win32Lab>(win32: W) {
    let timer = win32.set_timer(1).unwrap();
    let of_timer = Message {
        message: WM_TIMER,
        w_param: timer.0,
    };
    for _ in 0..5 {
        assert_eq!(win32.get_message(), Ok(of_timer));
    }
    win32.kill_timer(timer).unwrap();
    assert_eq!(win32.kill_timer(timer), Err(Win32Error::INVALID_PARAMETER));
}

pub fn one_message<W: Win32Lab>(win32: W) {
    let timer = win32.set_timer(10).unwrap();
    win32.sleep(LONG);
    win32.kill_timer(timer).unwrap();
    let stop = win32.set_timer(50).unwrap();
    let first = win32.get_message().unwrap();
    let second = win32.get_message().unwrap();
    assert_eq!(first.w_param, timer.0, "a message already sent stays");
    assert_eq!(second.w_param, stop.0, "and it is the only one");
    win32.kill_timer(stop).unwrap();
}
