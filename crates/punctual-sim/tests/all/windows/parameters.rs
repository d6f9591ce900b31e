//! Machines whose clocks err, and whose devices interrupt.

use super::{MILLISECOND, machine};
use punctual::os::windows::WindowsOs;
use punctual::{Os, Period, Sleeper, Ticker};
use punctual_sim::windows::SimWin32;
use punctual_windows::VERSIONS;
use punctual_windows::os::windows::Win32Lab;
use std::time::Duration;

/// Runs a program on a machine of this version and these parameters.
fn on<T: Send + 'static>(
    version: &str,
    parameters: &str,
    body: impl FnOnce(SimWin32) -> T + Send + 'static,
) -> T {
    let parameters = parameters.parse().unwrap();
    let machine = machine(version).with_parameters(parameters);
    machine.run(body).unwrap().value
}

/// While its own ticks count 100 s, the counter of a machine counts more or less.
#[test]
fn the_counter_errs_and_the_ticks_do_not() {
    let counted = |error: &str| {
        let error = error.to_owned();
        on(
            "windows-10-2004",
            &format!("clock-error={error}"),
            |win32| {
                let os = WindowsOs::on(win32);
                win32.sleep(20);
                let (began, ticks) = (os.now(), win32.time_get_time());
                win32.sleep(100_000);
                let ticked = win32.time_get_time() - ticks;
                assert!((100_000..100_020).contains(&ticked), "{ticked}");
                os.now().duration_since(began)
            },
        )
    };
    let (fast, right, slow) = (counted("50ppm"), counted("0ppm"), counted("-50ppm"));
    // Fifty millionths of 100 s, to the microsecond.
    assert_eq!((fast - right).as_micros(), 5_000);
    assert_eq!((right - slow).as_micros(), 5_000);
}

/// Its own clock is the only one that a program has: the period is exact by that.
#[test]
fn on_a_machine_whose_clock_errs_nothing_is_early_and_a_ticker_keeps_its_period() {
    for version in VERSIONS {
        for error in ["1000ppm", "-1000ppm"] {
            on(
                version.name,
                &format!("clock-error={error}"),
                move |win32| {
                    let os = WindowsOs::on(win32);
                    let period = Period::from_hertz(60);
                    let start = os.now();
                    let mut ticker =
                        Ticker::with_sleeper(Sleeper::on(os), period).starting_at(start);
                    let mut last = None;
                    for tick in ticker.by_ref().take(61) {
                        assert!(tick.woke >= tick.deadline);
                        assert!(tick.lateness() < 17 * MILLISECOND, "{tick:?}");
                        last = Some(tick);
                    }
                    let last = last.unwrap();
                    assert_eq!(last.deadline.duration_since(start), Duration::from_secs(1));
                },
            );
        }
    }
}

/// Timers go by the ticks and deadlines by the counter: a hundred seconds of the one are a tenth of a
/// second more or less of the other.
#[test]
fn on_a_machine_whose_clock_errs_a_long_wait_is_as_punctual_as_a_short_one() {
    for version in VERSIONS {
        for error in ["1000ppm", "-1000ppm"] {
            on(version.name, &format!("clock-error={error}"), |win32| {
                let mut sleeper = Sleeper::on(WindowsOs::on(win32)).coarse();
                let wake = sleeper.sleep(Duration::from_secs(100));
                assert!(wake.woke >= wake.deadline);
                assert!(wake.lateness() < 2 * MILLISECOND, "{wake:?}");
            });
        }
    }
}

#[test]
fn devices_steal_what_they_are_said_to() {
    let work = Duration::from_secs(10);
    let took = |noise: &str| {
        on("windows-11", &format!("noise={noise}"), move |win32| {
            let os = WindowsOs::on(win32);
            let began = os.now();
            win32.compute(work);
            let took = os.now().duration_since(began);
            assert!(
                win32.processor_time() < work + MILLISECOND,
                "theirs is not ours"
            );
            took
        })
    };
    assert!(took("none") < work + MILLISECOND);
    // 1 % and 10 %: of 10,000 interrupts and 200 deferred calls, to four deviations.
    let interrupts = took("10us/1ms") - work;
    assert!(
        interrupts.abs_diff(100 * MILLISECOND) < 6 * MILLISECOND,
        "{interrupts:?}"
    );
    let both = took("10us/1ms+5ms/50ms") - work;
    assert!(
        both.abs_diff(1_110 * MILLISECOND) < 450 * MILLISECOND,
        "{both:?}"
    );
}
