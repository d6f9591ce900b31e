//! The multimedia class scheduler, from Windows Vista on.

use punctual::os::windows::{THREAD_PRIORITY_HIGHEST, Win32Error};
use punctual_windows::os::windows::Win32Lab;

pub fn once<W: Win32Lab>(win32: W) {
    let join = |task| win32.av_set_mm_thread_characteristics_w(task);
    let task = match join("Pro Audio") {
        Err(Win32Error::PROC_NOT_FOUND) => return,
        joined => joined.unwrap(),
    };
    assert_eq!(
        join("Games").err(),
        Some(Win32Error::THREAD_ALREADY_IN_TASK)
    );
    drop(task);
    assert_eq!(
        join("No Such Task").err(),
        Some(Win32Error::INVALID_TASK_NAME)
    );
    drop(join("Games").unwrap());
}

pub fn priority<W: Win32Lab>(win32: W) {
    let Ok(task) = win32.av_set_mm_thread_characteristics_w("Pro Audio") else {
        return;
    };
    win32.set_thread_priority(THREAD_PRIORITY_HIGHEST).unwrap();
    drop(task);
    let found = win32.get_thread_priority();
    assert_eq!(found, Ok(THREAD_PRIORITY_HIGHEST));
    win32.set_thread_priority(0).unwrap();
}
