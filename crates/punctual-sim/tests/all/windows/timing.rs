//! When things happen, beyond what is published.

use super::{MILLISECOND, machine, on, on_every_version};
use proptest::prelude::*;
use punctual::os::windows::{
    CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, INFINITE, SYNCHRONIZE, TIMER_MODIFY_STATE, Waited,
    Win32, Win32Error, WindowsOs,
};
use punctual::{Instant, Os};
use punctual_sim::random::Random;
use punctual_sim::windows::{SimTask, SimWin32};
use punctual_windows::os::windows::{WT_EXECUTEDEFAULT, Win32Lab};
use punctual_windows::{Companion, VERSIONS, Version};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

fn now(win32: SimWin32) -> Instant {
    WindowsOs::on(win32).now()
}

fn units(duration: Duration) -> i64 {
    i64::try_from(duration.as_nanos() / 100).unwrap()
}

#[test]
fn calls_take_time_and_the_counter_moves() {
    on_every_version(|win32| {
        let start = win32.query_performance_counter();
        while win32.query_performance_counter() == start {}
    });
}

#[test]
fn a_wait_that_nothing_can_end_is_a_deadlock_that_names_the_handle() {
    let outcome = machine("windows-7").run(|win32| {
        let event = win32.create_event_w(false).unwrap();
        let _ = win32.wait_for_single_object(&event, INFINITE);
    });
    let error = outcome.unwrap_err();
    assert!(error.is_deadlock(), "{error}");
    assert!(error.to_string().contains("waits for handle 4"), "{error}");
}

/// A tick at which nothing is due makes no event: a year of them would take hours.
#[test]
fn idle_ticks_cost_nothing() {
    const YEAR: Duration = Duration::from_secs(365 * 24 * 3_600);
    on_every_version(|win32| {
        win32.time_begin_period(1).unwrap();
        let timer = win32.create_waitable_timer_w(false).unwrap();
        win32.set_waitable_timer(&timer, -units(YEAR), 0).unwrap();
        let began = now(win32);
        win32.wait_for_single_object(&timer, INFINITE).unwrap();
        let passed = now(win32).duration_since(began);
        assert!(passed.abs_diff(YEAR) < 2 * MILLISECOND, "{passed:?}");
    });
}

/// On a machine whose processors are all wanted, a wait that is over waits for its turn.
#[test]
fn ready_is_not_running() {
    type Urgent = fn(SimWin32) -> Option<SimTask>;
    let longest_sleep_and_queue = |urgent: Urgent| {
        let mut machine = machine("windows-7").with_parameters("processors=1".parse().unwrap());
        for _ in 0..3 {
            machine = machine.with_companion(Companion::Load);
        }
        let run = machine.run(move |win32| {
            let _task = urgent(win32);
            win32.time_begin_period(1).unwrap();
            win32.sleep(100);
            let sleeps = (0..20).map(|_| {
                let began = now(win32);
                win32.sleep(5);
                now(win32).duration_since(began)
            });
            (sleeps.max().unwrap(), win32.queue_time())
        });
        run.unwrap().value
    };
    let urgent: [Urgent; 2] = [
        |win32| {
            win32.set_thread_priority(2).unwrap();
            None
        },
        |win32| {
            let task = win32.av_set_mm_thread_characteristics_w("Pro Audio");
            Some(task.unwrap())
        },
    ];
    let ordinary: [Urgent; 2] = [
        |_| None,
        |win32| {
            let task = win32.av_set_mm_thread_characteristics_w("Pro Audio");
            drop(task.unwrap());
            None
        },
    ];
    for ordinary in ordinary {
        let (longest, queued) = longest_sleep_and_queue(ordinary);
        assert!(longest > 20 * MILLISECOND && queued > longest);
    }
    for urgent in urgent {
        let (longest, queued) = longest_sleep_and_queue(urgent);
        assert!(longest < 6 * MILLISECOND && queued.is_zero());
    }
}

/// What came with Windows Vista: tests of it have nothing to ask of XP, and of nothing else.
#[test]
fn xp_alone_has_no_pool_timers_and_no_multimedia_tasks() {
    for Version { name, .. } in VERSIONS {
        let has = on(name, |win32| {
            let timer = win32.create_threadpool_timer(Box::new(|| ()));
            let task = win32.av_set_mm_thread_characteristics_w("Pro Audio");
            [timer.is_ok(), task.is_ok()]
        });
        assert_eq!(has, [name != "windows-xp"; 2], "{name}");
    }
}

/// Whole ticks of 15.6 ms each, of which a period of 10 ms takes one or two; multimedia timers ask
/// for their own.
#[test]
fn timers_that_call_back_keep_their_period() {
    on_every_version(|win32| {
        let count = Arc::new(AtomicU32::new(0));
        let counter = || {
            let count = Arc::clone(&count);
            Box::new(move || {
                count.fetch_add(1, Ordering::SeqCst);
            })
        };
        let calls_in_400_ms = || {
            let before = count.load(Ordering::SeqCst);
            win32.sleep(400);
            count.load(Ordering::SeqCst) - before
        };
        let timer = win32.create_timer_queue_timer(counter(), 10, 10, WT_EXECUTEDEFAULT);
        let calls = calls_in_400_ms();
        assert!((10..=41).contains(&calls), "{calls}");
        drop(timer);
        let timer = win32.time_set_event(5, 1, counter(), true).unwrap();
        let calls = calls_in_400_ms();
        assert!((60..=90).contains(&calls), "{calls}");
        drop(timer);
        let timer = match win32.create_threadpool_timer(counter()) {
            Err(Win32Error::PROC_NOT_FOUND) => return,
            made => made.unwrap(),
        };
        let due_time = Some(-units(10 * MILLISECOND));
        win32.set_threadpool_timer(&timer, due_time, 10, 0);
        let calls = calls_in_400_ms();
        assert!((10..=41).contains(&calls), "{calls}");
    });
}

#[test]
fn a_high_resolution_timer_needs_no_request() {
    for (version, expected) in [
        ("windows-xp", Err(Win32Error::PROC_NOT_FOUND)),
        ("windows-7", Err(Win32Error::INVALID_PARAMETER)),
        ("windows-8", Err(Win32Error::INVALID_PARAMETER)),
        ("windows-10-1909", Ok(())),
        ("windows-10-2004", Ok(())),
        ("windows-11", Ok(())),
    ] {
        on(version, move |win32| {
            let access = SYNCHRONIZE | TIMER_MODIFY_STATE;
            let flags = CREATE_WAITABLE_TIMER_HIGH_RESOLUTION;
            let timer = win32.create_waitable_timer_ex_w(flags, access);
            assert_eq!(
                timer.as_ref().map(drop).map_err(|error| *error),
                expected,
                "{version}"
            );
            let Ok(timer) = timer else {
                return;
            };
            for _ in 0..200 {
                let began = now(win32);
                win32
                    .set_waitable_timer(&timer, -units(2 * MILLISECOND), 0)
                    .unwrap();
                win32.wait_for_single_object(&timer, INFINITE).unwrap();
                let passed = now(win32).duration_since(began);
                let late = passed - 2 * MILLISECOND;
                assert!(late < Duration::from_micros(520), "{version}: {late:?}");
            }
            assert_eq!(win32.smallest_request(), None);
        });
    }
}

/// From 7 on: not before it is due, not after what it tolerates, and with another if there is one.
#[test]
fn a_tolerant_timer_waits_for_company_within_its_tolerance() {
    for version in ["windows-7", "windows-8", "windows-10-1909", "windows-11"] {
        on(version, move |win32| {
            let wait = |company: bool| {
                let timer = win32.create_waitable_timer_w(false).unwrap();
                let began = now(win32);
                if company {
                    let event = Box::new(move || win32.sleep(100));
                    win32.create_thread("company", event).unwrap();
                }
                let due_time = -units(60 * MILLISECOND);
                win32
                    .set_waitable_timer_ex(&timer, due_time, 0, 90)
                    .unwrap();
                win32.wait_for_single_object(&timer, INFINITE).unwrap();
                now(win32).duration_since(began)
            };
            let (alone, accompanied) = (wait(false), wait(true));
            assert!(alone > 100 * MILLISECOND, "{version}: {alone:?}");
            assert!(alone <= 150 * MILLISECOND, "{version}: {alone:?}");
            assert!(accompanied > 80 * MILLISECOND, "{version}: {accompanied:?}");
            assert!(
                accompanied < 118 * MILLISECOND,
                "{version}: {accompanied:?}"
            );
        });
    }
    on("windows-xp", |win32| {
        let timer = win32.create_waitable_timer_w(false).unwrap();
        let set = win32.set_waitable_timer_ex(&timer, -1, 0, 90);
        assert_eq!(set, Err(Win32Error::PROC_NOT_FOUND));
    });
}

#[test]
fn an_event_that_ends_a_wait_ends_its_timeout_too() {
    on_every_version(|win32| {
        let event = Arc::new(win32.create_event_w(false).unwrap());
        for _ in 0..100 {
            let sets = Arc::clone(&event);
            let set = Box::new(move || {
                win32.sleep(1);
                win32.set_event(&sets).unwrap();
            });
            win32.create_thread("setter", set).unwrap();
            let waited = win32.wait_for_single_object(&event, 40);
            assert_eq!(waited, Ok(Waited::Object(0)));
            // A timeout left over would end this one.
            let began = now(win32);
            win32.sleep(50);
            assert!(now(win32).duration_since(began) > 33 * MILLISECOND);
        }
    });
}

#[test]
fn clocks_that_a_version_lacks_are_not_found() {
    for (version, tick_count, precise) in [
        ("windows-xp", false, false),
        ("windows-7", true, false),
        ("windows-8", true, true),
        ("windows-11", true, true),
    ] {
        on(version, move |win32| {
            let missing = Err(Win32Error::PROC_NOT_FOUND);
            let found = win32.get_tick_count64().map(drop);
            assert_eq!(
                found,
                if tick_count { Ok(()) } else { missing },
                "{version}"
            );
            let found = win32.get_system_time_precise_as_file_time().map(drop);
            assert_eq!(found, if precise { Ok(()) } else { missing }, "{version}");
            let found = win32.query_unbiased_interrupt_time().map(drop);
            assert_eq!(
                found,
                if tick_count { Ok(()) } else { missing },
                "{version}"
            );
            let found = [
                win32.query_interrupt_time().map(drop),
                win32.query_interrupt_time_precise().map(drop),
                win32.query_unbiased_interrupt_time_precise().map(drop),
            ];
            let is_ten = version == "windows-11";
            let expected = if is_ten { Ok(()) } else { missing };
            assert_eq!(found, [expected; 3], "{version}");
        });
    }
}

/// Interrupt time is that of the last tick; the precise one is the time itself.
#[test]
fn interrupt_time_moves_with_ticks() {
    on("windows-11", |win32| {
        const UNITS_PER_TICK: u64 = 156_250;
        for _ in 0..50 {
            win32.compute(Duration::from_millis(7));
            let ticked = win32.query_interrupt_time().unwrap();
            let precise = win32.query_interrupt_time_precise().unwrap();
            assert_eq!(ticked % UNITS_PER_TICK, 0);
            assert!((ticked..=ticked + UNITS_PER_TICK).contains(&precise));
        }
    });
}

/// `timeGetTime` follows the interval, `GetTickCount` does not.
#[test]
fn coarse_clocks_step_as_they_do() {
    on_every_version(|win32| {
        win32.time_begin_period(1).unwrap();
        win32.sleep(100);
        let (mut time, mut ticks) = (win32.time_get_time(), win32.get_tick_count());
        for _ in 0..20_000 {
            win32.compute(Duration::from_micros(10));
            let (next_time, next_ticks) = (win32.time_get_time(), win32.get_tick_count());
            assert!(next_time - time <= 1);
            assert!([0, 15, 16].contains(&(next_ticks - ticks)));
            (time, ticks) = (next_time, next_ticks);
        }
    });
}

/// What a timer was set to before, or cancelled at whatever moment, does not end a later wait.
fn set_again_and_again(win32: SimWin32, seed: u64, high_resolution: bool, tick: Duration) {
    let timer = if high_resolution {
        let access = SYNCHRONIZE | TIMER_MODIFY_STATE;
        win32
            .create_waitable_timer_ex_w(CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, access)
            .unwrap()
    } else {
        win32.create_waitable_timer_w(false).unwrap()
    };
    let mut random = Random::new(seed);
    let mut between = |least, most| Duration::from_nanos(random.between(least, most));
    for _ in 0..100 {
        // A first setting that is forgotten just when its interrupt may come.
        let first = between(400_000, 600_000);
        win32.set_waitable_timer(&timer, -units(first), 1).unwrap();
        win32.compute(between(0, 2_100_000));
        let wanted = between(100_000, 5_000_000);
        let began = now(win32);
        win32.set_waitable_timer(&timer, -units(wanted), 0).unwrap();
        let waited = win32.wait_for_single_object(&timer, INFINITE);
        assert_eq!(waited, Ok(Waited::Object(0)));
        let passed = now(win32).duration_since(began);
        // A unit of 100 ns is cut off, and the counter may be as coarse as 0.4 µs.
        let least = wanted.saturating_sub(tick + Duration::from_nanos(500));
        assert!(passed >= least, "{passed:?} of {wanted:?}");
        assert!(
            passed < wanted + 16 * MILLISECOND,
            "{passed:?} of {wanted:?}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn a_timer_forgets_what_it_was_set_to_before(seed: u64) {
        let tick = Duration::from_micros(15_625);
        for version in ["windows-xp", "windows-7", "windows-8"] {
            on(version, move |win32| set_again_and_again(win32, seed, false, tick));
        }
        for version in ["windows-10-1909", "windows-10-2004", "windows-11"] {
            for high_resolution in [false, true] {
                let precisely = Duration::ZERO;
                on(version, move |win32| {
                    set_again_and_again(win32, seed, high_resolution, precisely);
                });
            }
        }
    }
}
