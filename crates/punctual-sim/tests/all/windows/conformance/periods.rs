//! Requests, as far as the calls that make them tell.

use punctual::os::windows::Win32Error;
use punctual_windows::os::windows::Win32Lab;

/// `STATUS_TIMER_RESOLUTION_NOT_SET`.
const NOT_SET: Win32Error = Win32Error::NtStatus(0xC000_0245_u32.cast_signed());

pub fn nested<W: Win32Lab>(win32: W) {
    for period in [5, 1, 1] {
        win32.time_begin_period(period).unwrap();
    }
    for period in [5, 1, 1] {
        win32.time_end_period(period).unwrap();
    }
}

pub fn ended_too_often<W: Win32Lab>(win32: W) {
    win32.time_begin_period(1).unwrap();
    win32.time_end_period(1).unwrap();
    assert_eq!(win32.time_end_period(1), Err(Win32Error::NO_CAN_DO));
}

pub fn out_of_range<W: Win32Lab>(win32: W) {
    let caps = win32.time_get_dev_caps().unwrap();
    for period in [0, caps.period_max + 1] {
        let refused = Err(Win32Error::MmResult(97));
        assert_eq!(win32.time_begin_period(period), refused, "{period}");
        assert_eq!(win32.time_end_period(period), refused, "{period}");
    }
}

pub fn never_begun<W: Win32Lab>(win32: W) {
    let refused = Err(Win32Error::MmResult(97));
    assert_eq!(win32.time_end_period(1), refused);
    win32.time_begin_period(2).unwrap();
    assert_eq!(
        win32.time_end_period(1),
        refused,
        "that one was never begun"
    );
    win32.time_end_period(2).unwrap();
}

pub fn capabilities<W: Win32Lab>(win32: W) {
    let caps = win32.time_get_dev_caps().unwrap();
    assert!(1 <= caps.period_min && caps.period_min <= caps.period_max);
    for period in [caps.period_min, caps.period_max] {
        win32.time_begin_period(period).unwrap();
        win32.time_end_period(period).unwrap();
    }
}

/// Programs that take the increment for the interval in force are told the same whatever they request.
pub fn increment<W: Win32Lab>(win32: W) {
    let unrequested = win32.get_system_time_adjustment().unwrap();
    assert!(0 < unrequested.increment, "{unrequested:?}");
    win32.time_begin_period(1).unwrap();
    win32.sleep(50);
    let requested = win32.get_system_time_adjustment().unwrap();
    win32.time_end_period(1).unwrap();
    assert_eq!(requested.increment, unrequested.increment);
}

pub fn resolutions<W: Win32Lab>(win32: W) {
    let found = win32.nt_query_timer_resolution().unwrap();
    assert!(0 < found.minimum_time, "{found:?}");
    assert!(found.minimum_time <= found.maximum_time, "{found:?}");
    // The interval in force may be a hair off the lattice of requests.
    assert!(found.current_time <= found.maximum_time + 1, "{found:?}");
}

pub fn kernel_request<W: Win32Lab>(win32: W) {
    let ask = |set| win32.nt_set_timer_resolution(10_000, set);
    assert_eq!(ask(false), Err(NOT_SET));
    let in_force = ask(true).unwrap();
    assert!(in_force <= 10_001, "{in_force}");
    ask(true).unwrap();
    ask(false).unwrap();
    assert_eq!(ask(false), Err(NOT_SET));
}
