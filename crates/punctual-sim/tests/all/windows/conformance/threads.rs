//! Threads: their numbers, and giving up the processor.

use super::{is_signalled, thread, wait};
use punctual_windows::os::windows::Win32Lab;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

pub fn numbers<W: Win32Lab>(win32: W) {
    let own = win32.get_current_thread_id();
    let other = Arc::new(AtomicU32::new(own));
    let told = Arc::clone(&other);
    let ended = thread(&win32, move |win32| {
        told.store(win32.get_current_thread_id(), Ordering::SeqCst);
    });
    wait(&win32, &ended);
    let other = other.load(Ordering::SeqCst);
    assert!(own != other && own != 0 && other != 0);
    assert_eq!((own % 4, other % 4), (0, 0));
    assert_eq!(win32.get_current_thread_id(), own);
}

pub fn others_run_meanwhile<W: Win32Lab>(win32: W) {
    let ended = thread(&win32, |_| {});
    while !is_signalled(&win32, &ended) {
        win32.switch_to_thread();
    }
}
