//! Who asks for what, who gets it, and when it ends.

use super::{MILLISECOND, machine, on, on_every_version};
use punctual::os::windows::{
    CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, INFINITE, PowerThrottling, SYNCHRONIZE,
    TIMER_MODIFY_STATE, Waited, Win32, Win32Error,
};
use punctual_sim::Exit;
use punctual_sim::windows::{SimWin32, WindowsMachine};
use punctual_windows::os::windows::Win32Lab;
use punctual_windows::{Companion, VERSIONS};
use std::time::Duration;

const IGNORE: u32 = PowerThrottling::IGNORE_TIMER_RESOLUTION;

/// The mean length of 200 calls of `Sleep(1)`, once requests count.
fn sleep_1(win32: SimWin32) -> Duration {
    win32.sleep(100);
    let before = win32.query_performance_counter();
    (0..200).for_each(|_| win32.sleep(1));
    let counts = win32.query_performance_counter() - before;
    let frequency = win32.query_performance_frequency();
    Duration::from_secs_f64(counts as f64 / frequency as f64 / 200.0)
}

fn interval(win32: SimWin32) -> u32 {
    win32.sleep(100);
    win32.nt_query_timer_resolution().unwrap().current_time
}

#[test]
fn the_lowest_of_all_outstanding_requests_is_in_force() {
    on_every_version(|win32| {
        let smallest = || win32.smallest_request();
        for (period, expected) in [(5, 5), (1, 1), (1, 1)] {
            win32.time_begin_period(period).unwrap();
            assert_eq!(smallest(), Some(expected * MILLISECOND));
        }
        for (period, expected) in [(5, Some(MILLISECOND)), (1, Some(MILLISECOND)), (1, None)] {
            win32.time_end_period(period).unwrap();
            assert_eq!(smallest(), expected);
        }
    });
}

/// Returns, panics, is killed: what it asked for is withdrawn.
#[test]
fn however_a_process_ends_its_requests_end_with_it() {
    on_every_version(|win32| {
        let ends: [fn(SimWin32); 3] = [
            |win32| win32.sleep(200),
            |win32| {
                win32.sleep(200);
                panic!("on purpose");
            },
            |win32| win32.sleep(INFINITE),
        ];
        let other = win32.start("other", |win32| {
            win32.time_begin_period(4).unwrap();
            win32.sleep(INFINITE);
        });
        for end in ends {
            let process = win32.start("requester", move |win32| {
                win32.time_begin_period(2).unwrap();
                win32.nt_set_timer_resolution(10_000, true).unwrap();
                let _multimedia = win32.time_set_event(50, 3, Box::new(|| ()), true).unwrap();
                let timer = win32.create_waitable_timer_w(false).unwrap();
                win32.set_waitable_timer(&timer, -10_000, 1).unwrap();
                end(win32);
            });
            let process = process.unwrap();
            win32.sleep(100);
            assert_eq!(win32.smallest_request(), Some(MILLISECOND));
            win32.sleep(200);
            process.kill();
            assert_eq!(win32.smallest_request(), Some(4 * MILLISECOND));
        }
        other.unwrap().kill();
        assert_eq!(win32.smallest_request(), None);
        assert_eq!(interval(win32), 156_250);
    });
}

#[test]
fn a_process_started_right_after_a_kill_keeps_what_it_asks_for() {
    on_every_version(|win32| {
        let request = |win32: SimWin32| {
            win32.time_begin_period(2).unwrap();
            win32.sleep(INFINITE);
        };
        let killed = win32.start("killed", request).unwrap();
        win32.sleep(100);
        killed.kill();
        assert_eq!(win32.smallest_request(), None);
        let next = win32.start("next", request).unwrap();
        assert_eq!(next.number(), killed.number());
        win32.sleep(100);
        assert_eq!(win32.smallest_request(), Some(2 * MILLISECOND));
    });
}

#[test]
fn an_exit_is_told_to_whoever_waits_for_it() {
    on_every_version(|win32| {
        let returns = win32.start("returns", |win32| win32.sleep(10)).unwrap();
        assert_eq!(returns.wait(), Exit::Returned);
        assert_eq!(returns.wait(), Exit::Returned);
        let sleeps = win32
            .start("sleeps", |win32| win32.sleep(INFINITE))
            .unwrap();
        sleeps.kill();
        assert_eq!(sleeps.wait(), Exit::Killed);
        let panics = win32.start("panics", |_| panic!("on purpose")).unwrap();
        assert!(matches!(panics.wait(), Exit::Panicked { .. }));
    });
}

#[test]
fn a_handle_is_of_no_use_to_another_process() {
    on_every_version(|win32| {
        let event = win32.create_event_w(false).unwrap();
        let other = win32.start("other", move |win32| {
            let own = win32.create_event_w(false).unwrap();
            assert_eq!(win32.set_event(&event), Err(Win32Error::INVALID_HANDLE));
            let waited = win32.wait_for_single_object(&event, 0);
            assert_eq!(waited, Err(Win32Error::INVALID_HANDLE));
            drop(event);
            assert_eq!(win32.wait_for_single_object(&own, 0), Ok(Waited::Timeout));
        });
        assert_eq!(other.unwrap().wait(), Exit::Returned);
    });
}

#[test]
fn something_elses_request_shortens_sleeps_until_version_2004() {
    let with_request = |version| {
        let interval = 4 * MILLISECOND;
        let machine = machine(version).with_companion(Companion::requester(interval));
        machine.run(sleep_1).unwrap().value
    };
    for version in ["windows-xp", "windows-7", "windows-8", "windows-10-1909"] {
        assert!(with_request(version) < 5 * MILLISECOND, "{version}");
    }
    for version in ["windows-10-2004", "windows-11"] {
        assert!(with_request(version) > 12 * MILLISECOND, "{version}");
    }
}

#[test]
fn a_drivers_request_shortens_everybodys_sleeps() {
    for version in VERSIONS {
        let driver = Companion::Driver {
            interval: 4 * MILLISECOND,
        };
        let machine = WindowsMachine::new(version).with_companion(driver);
        let mean = machine.run(sleep_1).unwrap().value;
        assert!(mean < 5 * MILLISECOND, "{}: {mean:?}", version.name);
    }
}

#[test]
fn the_registry_key_brings_the_old_rule_back_on_11_only() {
    for (version, helps) in [("windows-10-2004", false), ("windows-11", true)] {
        let interval = 4 * MILLISECOND;
        let parameters = "global-requests=1".parse().unwrap();
        let machine = machine(version)
            .with_parameters(parameters)
            .with_companion(Companion::requester(interval));
        let mean = machine.run(sleep_1).unwrap().value;
        assert_eq!(mean < 5 * MILLISECOND, helps, "{version}: {mean:?}");
    }
}

#[test]
fn a_hidden_process_is_not_honoured_on_11_unless_it_says_so() {
    for (version, state_mask, honoured) in [
        ("windows-10-2004", None, true),
        ("windows-11", None, false),
        ("windows-11", Some(0), true),
        ("windows-11", Some(IGNORE), false),
    ] {
        let smallest = on(version, move |win32| {
            win32.time_begin_period(1).unwrap();
            win32.set_hidden(true);
            if let Some(state_mask) = state_mask {
                let control_mask = IGNORE;
                let setting = PowerThrottling {
                    control_mask,
                    state_mask,
                };
                win32.set_process_information(setting).unwrap();
                assert_eq!(win32.get_process_information(), Ok(setting));
            }
            win32.smallest_request()
        });
        assert_eq!(smallest.is_some(), honoured, "{version} {state_mask:?}");
    }
}

#[test]
fn versions_without_the_setting_refuse_it_as_they_do() {
    for (version, read, written) in [
        ("windows-xp", Some(127), Some(127)),
        ("windows-7", Some(127), Some(127)),
        ("windows-8", Some(87), Some(87)),
        ("windows-10-1909", None, Some(87)),
        ("windows-10-2004", None, Some(87)),
        ("windows-11", None, None),
    ] {
        on(version, move |win32| {
            let setting = PowerThrottling::default().honouring_requests();
            let code = |code: Option<u32>| code.map(Win32Error::LastError);
            assert_eq!(win32.get_process_information().err(), code(read));
            let found = win32.set_process_information(setting).err();
            assert_eq!(found, code(written), "{version}");
        });
    }
}

#[test]
fn powercfg_lists_requests_and_high_resolution_timers() {
    on("windows-10-2004", |win32| {
        let requester = win32.start("requester", |win32| {
            win32.time_begin_period(2).unwrap();
            win32.sleep(INFINITE);
        });
        let precise = win32.start("precise", |win32| {
            let access = SYNCHRONIZE | TIMER_MODIFY_STATE;
            let flags = CREATE_WAITABLE_TIMER_HIGH_RESOLUTION;
            let _timer = win32.create_waitable_timer_ex_w(flags, access).unwrap();
            win32.sleep(INFINITE);
        });
        let (requester, precise) = (requester.unwrap(), precise.unwrap());
        win32.sleep(100);
        let view = win32.powercfg();
        assert_eq!(view.platform_interval, Duration::from_micros(15_625));
        let listed = [
            (requester.number(), 2 * MILLISECOND),
            (precise.number(), MILLISECOND),
        ];
        assert_eq!(view.processes, listed.into());
        win32.begin_driver_request(0, MILLISECOND);
        let view = win32.powercfg();
        assert_eq!(view.kernel_request, Some(MILLISECOND));
        assert_eq!(view.platform_interval, MILLISECOND);
        assert!(win32.end_driver_request(0, MILLISECOND));
        assert!(!win32.end_driver_request(0, MILLISECOND));
        precise.kill();
        let listed = [(requester.number(), 2 * MILLISECOND)];
        assert_eq!(win32.powercfg().processes, listed.into());
    });
}

#[test]
fn a_multimedia_timer_asks_as_long_as_it_is_active() {
    on_every_version(|win32| {
        let timer = win32.time_set_event(10, 3, Box::new(|| ()), true).unwrap();
        assert_eq!(win32.smallest_request(), Some(3 * MILLISECOND));
        assert_eq!(
            win32.time_end_period(3),
            Err(Win32Error::NO_CAN_DO),
            "that is its own"
        );
        drop(timer);
        assert_eq!(win32.smallest_request(), None);
        let _once = win32.time_set_event(10, 0, Box::new(|| ()), false).unwrap();
        assert_eq!(win32.smallest_request(), Some(MILLISECOND));
        win32.sleep(50);
        assert_eq!(win32.smallest_request(), None, "it has fired");
    });
}

#[test]
fn the_interval_follows_requests_at_the_next_tick() {
    for (version, raised) in [
        ("windows-xp", 9_766),
        ("windows-7", 10_000),
        ("windows-8", 10_000),
        ("windows-10-1909", 9_996),
        ("windows-10-2004", 9_996),
        ("windows-11", 9_996),
    ] {
        on(version, move |win32| {
            let current = || win32.nt_query_timer_resolution().unwrap().current_time;
            assert_eq!(current(), 156_250, "{version}");
            win32.time_begin_period(1).unwrap();
            assert_eq!(current(), 156_250, "{version}");
            assert_eq!(interval(win32), raised, "{version}");
            let narrowest = win32.nt_set_timer_resolution(5_000, true).unwrap();
            assert!(narrowest <= raised, "{version}");
            win32.nt_set_timer_resolution(5_000, false).unwrap();
            win32.time_end_period(1).unwrap();
            assert_eq!(interval(win32), 156_250, "{version}");
        });
    }
}
