//! The multimedia class scheduler, from Windows Vista on.

use punctual::os::windows::{THREAD_PRIORITY_HIGHEST, Win32Error, Win32Lab};

pub fn once<W: Win32Lab>(win32: W) {
    let join = |task| win32.av_set_mm_thread_characteristics_w(task);
    let task = match join("Pro Audio") {
        Err(Win32Error::PROC_NOT_FOUND) => return,
        joined => joined.unwrap(),
    };
    assert_eq!(join("Games"), Err(Win32Error::THREAD_ALREADY_IN_TASK));
    win32.av_revert_mm_thread_characteristics(task).unwrap();
    assert!(win32.av_revert_mm_thread_characteristics(task).is_err());
    assert_eq!(join("No Such Task"), Err(Win32Error::INVALID_TASK_NAME));
    let task = join("Games").unwrap();
    win32.av_revert_mm_thread_characteristics(task).unwrap();
}

pub fn priority<W: Win32Lab>(win32: W) {
    let Ok(task) = win32.av_set_mm_thread_characteristics_w("Pro Audio") else {
        return;
    };
    let thread = win32.get_current_thread();
    win32
        .set_thread_priority(thread, THREAD_PRIORITY_HIGHEST)
        .unwrap();
    win32.av_revert_mm_thread_characteristics(task).unwrap();
    let found = win32.get_thread_priority(thread);
    assert_eq!(found, Ok(THREAD_PRIORITY_HIGHEST));
    win32.set_thread_priority(thread, 0).unwrap();
}
